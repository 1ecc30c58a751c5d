vs_2_0
defi i1, 3, 0, 1, -7
defb b2, true
defb b3, false
dcl_position v0
dcl_texcoord v1
mov r0, v0
if !b2
  rep i1
    add r0, r0, c1
  endrep
endif
callnz l0, b3
mov oPos, r0
mov oT0, v1
ret
label l0
add r0, r0, c2
ret
