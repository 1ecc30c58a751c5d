vs_3_0
; nothing here feeds the texture's coordinate
dcl_position v0
dcl_texcoord v1
dcl_position o1
dcl_texcoord o2
mov o1, v0
mov o2, v1
