vs_3_0
// fpmove: c255 = ps c6
dcl_position v0
dcl_texcoord v1
dcl_texcoord1 v2
dcl_position o0
dcl_texcoord o1
dcl_texcoord1 o2
dcl_texcoord2 o3
mov o0, v0
mov o2.xyz, v2
mul o3, v1, c255
mov o1.xyz, v1
