vs_3_0
dcl_position v0
dcl_texcoord v1
dcl_color v2
dcl_position o0
dcl_texcoord o1.xy
dcl_color o2.xy
dcl_color1 o2.zw
mov o0, v0
mov o1.xy, v1
mul o2, v2, c4
