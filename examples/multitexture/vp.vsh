vs_1_1
// two coordinate sets, the second one turned by the rows c4, c5
dcl_position v0
dcl_texcoord v1
def c6, 1, 0, 0, 0
m4x4 oPos, v0, c0
mov oT0.xy, v1
mov r0, v1
mov r0.z, c6.x
dp3 oT1.x, r0, c4
dp3 oT1.y, r0, c5
