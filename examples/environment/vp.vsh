vs_1_1
// chrome: world normal and incident ray; c0-c3 view-projection, c4-c6 world rows, c7 eye
dcl_position v0
dcl_normal v1
def c8, 1, 0, 0, 0
dp4 r0.x, v0, c4
dp4 r0.y, v0, c5
dp4 r0.z, v0, c6
mov r0.w, c8.x
m4x4 oPos, r0, c0
dp3 r1.x, v1, c4
dp3 r1.y, v1, c5
dp3 r1.z, v1, c6
mov oT0.xyz, r1
sub oT1.xyz, r0, c7
