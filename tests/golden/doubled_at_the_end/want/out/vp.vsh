vs_1_1
// fpmove: c95 = ps c0
dcl_position v0
dcl_normal v1
dcl_texcoord v2
def c94, 2, 0, 0, 0
m4x4 oPos, v0, c0
mov oT0.xy, v2
mov r0.xyz, c94.x
mul r0.xyz, c95, r0
mul oT1.xyz, v1, r0
