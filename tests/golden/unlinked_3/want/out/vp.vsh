vs_3_0
dcl_position v0
dcl_texcoord v1
dcl_position o0
dcl_texcoord1 o7
dcl_color o3
mov o0, v0
mov o7.xy, v1
