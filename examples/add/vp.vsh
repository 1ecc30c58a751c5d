vs_1_1
; adds two fields: the second one may be placed elsewhere
dcl_position v0
dcl_texcoord0 v1
dcl_texcoord1 v2
mov oPos, v0
mov oT0.xy, v1
mov oT1.xy, v2
