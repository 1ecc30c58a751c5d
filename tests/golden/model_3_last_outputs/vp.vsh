vs_3_0
dcl_position v0
dcl_texcoord v1
dcl_normal v2
dcl_position0 o0
dcl_texcoord0 o1
dcl_texcoord1 o2
dcl_texcoord2 o3
dcl_texcoord3 o4
dcl_texcoord4 o5
dcl_texcoord5 o6
dcl_texcoord6 o7
dcl_texcoord7 o8
dcl_texcoord8 o9
dcl_texcoord9 o10
dcl_texcoord10 o11
m4x4 o0, v0, c0
mov o1, v1
mov o2, v1
mov o3, v1
mov o4, v1
mov o5, v1
mov o6, v1
mov o7, v1
mov o8, v1
mov o9, v1
mov o10, v1
mov o11, v1
