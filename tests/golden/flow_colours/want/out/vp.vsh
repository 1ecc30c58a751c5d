vs_3_0
dcl_position v0
dcl_texcoord v1
dcl_position o0
dcl_color0 o1.xy
dcl_color1 o1.zw
dcl_texcoord o2
mov o0, v0
mov o1, v1
mov o2, v1
