vs_3_0
; nothing reads these
defb b0, false
defi i15, -1, +2, 3, 4
dcl_position v0
dcl_texcoord v1
dcl_position o0
dcl_texcoord o1.xy
mov o0, v0
mov o1.xy, v1
