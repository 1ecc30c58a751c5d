vs_3_0
dcl_position v0
dcl_texcoord v1
dcl_normal v2
dcl_position o0
dcl_texcoord o1.xy
dcl_texcoord1 o1.zw
mov o0, v0
mul o1, v1, c1
