vs_3_0
defi i1, 3, 0, 1, -7
defb b2, true
def c9, 0, 1, 0, 0
dcl_2d s0
dcl_position v0
dcl_texcoord v1
dcl_position o0
dcl_texcoord o1
mova a0.x, v0.x
mov r0, c[a0.x + 4]
setp_ge p0, v0, c0
(p0) add r0, r0, c1
(!p0.y) mul r0.xy, r0, v1
if b2
  call l1
else
  callnz l1, !b0
endif
callnz l2047, p0.x
mov o0, r0
mov o1, v1
ret
label l1
if_eq r0.x, -c9_abs.y
  rep i1
    add r0, r0, c9
    break_gt r0.x, v0.y
    breakp p0.z
    if !p0.w
      break
    endif
  endrep
endif
ret
label l2047
texldl r0, v1, s0
ret
