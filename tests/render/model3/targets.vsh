vs_3_0
dcl_position v0
dcl_texcoord v1
dcl_normal v2
dcl_position o0
dcl_texcoord o1
dcl_texcoord4 o2.xyz
m4x4 o0, v0, c4
mov o1, v1
mov o2.xyz, v2
