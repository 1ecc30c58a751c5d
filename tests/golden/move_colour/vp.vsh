vs_1_1
dcl_position v0
dcl_color v1
dcl_texcoord v2
mov oPos, v0
mul oD0, v1, c0
mov oT0.xy, v2
