vs_1_1
// ground fog box: world position in t0
dcl_position v0
def c8, 1, 0, 0, 0
m4x3 r0.xyz, v0, c4
mov r0.w, c8.x
dp4 oPos.x, r0, c0
dp4 oPos.y, r0, c1
dp4 oPos.z, r0, c2
dp4 oPos.w, r0, c3
mov oT0.xyz, r0
