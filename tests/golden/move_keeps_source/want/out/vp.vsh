vs_1_1
// fpmove: c94 = ps c1
// fpmove: c95 = ps c0
def c9, 1, 0.5, 0, 0
dcl_position v0
dcl_texcoord v1
m4x4 oPos, v0, c0
mad r0.xy, v1, c9.y, c9.y
mov oT0.xy, r0
mul r1.xy, v1, c8
mov oT1.xy, -r1.yxzw
mov r2.xy, -r1.yxzw
mov r1, v0
mul oD0, r1, c9.x
mov r3.xy, c95
add oT2.xy, r0, r3
add oT3.xy, r2, c94
