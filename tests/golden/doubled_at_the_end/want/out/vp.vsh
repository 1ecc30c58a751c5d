vs_1_1
// fpmove: c95 = ps c0
dcl_position v0
dcl_normal v1
dcl_texcoord v2
def c94, 2, 0, 0, 0
m4x4 oPos, v0, c0
mov oT0.xy, v2
mul r0.xyz, v1, c95
mul oT1.xyz, r0, c94.x
