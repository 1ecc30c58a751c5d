vs_3_0
; nothing here feeds the texture's coordinate
// fpmove: c255 = ps c0
dcl_position v0
dcl_texcoord v1
dcl_position o1
dcl_texcoord1 o0
mov o1, v0
mul o0, v1, c255
