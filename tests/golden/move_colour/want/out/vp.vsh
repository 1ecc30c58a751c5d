vs_1_1
// fpmove: c1 = ps c1
dcl_position v0
dcl_color v1
dcl_texcoord v2
def c95, 0, 1, 0, 0
mov oPos, v0
mul oD0, v1, c0
mul r0, v1, c0
mov oT0.xy, v2
max r0, r0, c95.x
min r0, r0, c95.y
add oT1, r0, c1
