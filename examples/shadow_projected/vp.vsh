vs_1_1
// receiver of a projected shadow; c0-c3 world-view-projection, c4-c6 world rows, c8 to the light
dcl_position v0
dcl_normal v1
dcl_texcoord v2
def c9, 0, 1, 0, 0
m4x4 oPos, v0, c0
m4x3 r0.xyz, v0, c4
mov r0.w, c9.y
mov oT0.xy, v2
mov oT1, r0
dp3 r1.x, v1, c8
max oT0.z, r1.x, c9.x
