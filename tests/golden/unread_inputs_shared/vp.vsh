vs_3_0
dcl_position v0
dcl_texcoord v1
dcl_color v2
dcl_position o0
dcl_texcoord o1.xy
dcl_texcoord1 o2.xy
dcl_texcoord2 o2.zw
dcl_color o3
mov o0, v0
mov o1.xy, v1
mov o2, v1.yxwz
mov o3, v2
