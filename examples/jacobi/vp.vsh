vs_1_1
dcl_position v0
dcl_texcoord v1

; interior of the grid as one quad
mov oPos, v0
mov oT0.xy, v1
