vs_3_0
// fpmove: c255 = ps c0
dcl_position v0
dcl_texcoord v1
dcl_texcoord1 v2
dcl_position o0
dcl_texcoord o1
dcl_texcoord2 o2
mov o0, v0
mov o1, v2
mul o2, v1, c255
