vs_3_0
dcl_position v0
dcl_texcoord v1
dcl_texcoord1 v2
dcl_position o0
dcl_texcoord o1
dcl_texcoord1 o2
mov o0, v0
mov o1, v1
mov o2, v2
