vs_3_0
; nothing reads these
defb b0, false
defi i15, -1, 2, 3, 4
dcl_position v0
dcl_texcoord v1
dcl_position o0
def c255, 2, 0, 0, 0
dcl_texcoord1 o1.xy
mov o0, v0
mul o1.xy, v1, c255.x
