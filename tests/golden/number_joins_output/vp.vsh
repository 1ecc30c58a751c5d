vs_3_0
dcl_position v0
dcl_texcoord v1
dcl_normal v2
dcl_position o0
dcl_texcoord o1.xy
dcl_texcoord1 o2.xyz
m4x4 o0, v0, c0
mov o1.xy, v1
mov o2.xyz, v2
