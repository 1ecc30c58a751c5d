vs_3_0
; nothing reads o2
dcl_position v0
dcl_texcoord3 v3
dcl_position o11
mov o11, v0
