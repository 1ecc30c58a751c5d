vs_3_0
dcl_position v0
dcl_texcoord v1
dcl_position0 o0
dcl_texcoord0 o1
m4x4 o0, v0, c0
mov o1.xy, v1
