vs_1_1
// fpmove: c93 = ps c2
// fpmove: c94 = ps c4
// fpmove: c95 = ps c3
dcl_position v0
dcl_texcoord v1
def c92, 0, 0, 0, 0
mov oPos, v0
mov oT0.xy, v1
mul oT1, v1.y, c95
mov r0.xy, c94
mul r0.xy, -c93, r0
mad oT2.xy, v0, c94, r0
mov oT2.z, c92.x
