vs_1_1
; vertex lighting with two colours (diffuse in oD0, specular in oD1)
dcl_position v0
dcl_color0 v1
dcl_color1 v2
dcl_texcoord0 v3
dcl_texcoord1 v4
m4x4 oPos, v0, c0
mul oD0, v1, c4
mul oD1, v2, c5
mov oT0.xy, v3
mad oT1.xy, v4, c6, c6.zwzw
