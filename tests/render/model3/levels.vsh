vs_3_0
dcl_position v0
dcl_texcoord v1
dcl_position o1
dcl_texcoord o0
dcl_texcoord1 o2.xy
mov o1, v0
mov o0, v1
mul o2.xy, v1, c8
