vs_1_1
// fpmove: c94 = ps c0
dcl_position v0
dcl_color v1
dcl_texcoord v2
def c95, 0.5, 0.25, 0, 0
def c93, 0, 1, 0, 0
m4x4 oPos, v0, c0
mul oT0.xy, v2, c95
max r0, v1, c93.x
min r0, r0, c93.y
add oT1, r0, c94
