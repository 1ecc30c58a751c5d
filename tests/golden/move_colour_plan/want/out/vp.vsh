vs_1_1
dcl_position v0
dcl_color v1
dcl_texcoord v2
def c95, 0.5, 0.25, 0, 0
m4x4 oPos, v0, c0
mov oD0, v1
mul oT0.xy, v2, c95
