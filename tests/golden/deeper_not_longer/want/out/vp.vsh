vs_1_1
// fpmove: c92 = ps c3
// fpmove: c94 = ps c4
// fpmove: c95 = ps c2
dcl_position v0
dcl_texcoord v1
def c93, 0, 0, 0, 0
mov oPos, v0
mov oT0.xy, v1
sub r0.xy, v0, c95
mul oT2.xy, r0, c94
mov oT2.z, c93.x
mul oT1, v1.y, c92
