vs_3_0
dcl_position v0
dcl_texcoord v1
dcl_normal v2
dcl_position o0
dcl_texcoord2 o1.xyz
m4x4 o0, v0, c0
mov o1.yz, v1.xxy
mov o1.x, v2
