vs_3_0
dcl_position v0
dcl_texcoord v1
dcl_normal v2
dcl_position o0
dcl_texcoord o1.xyz
dcl_texcoord1 o2.xyz
dcl_texcoord2 o3.xyz
dcl_texcoord5 o4
mov o0, v0
mul o1.xyz, v1, c0
mul o2.xyz, v1, c1
mul o3.xyz, v2, c2
mov o4, v2
