vs_3_0
; which instructions are run goes by comparisons and b#; Wine 8 draws neither p0 nor calls right
defb b1, true
def c30, 0.5, 0.25, 0.75, 2
dcl_position v0
dcl_texcoord v1
dcl_texcoord1 v2
dcl_position o0
dcl_texcoord o1
dcl_texcoord1 o2
mov o0, v0
mov r1, v1
if_lt v2.x, c30.x
	if b1
		mul r1, r1, c30.w
	else
		mov r1, c30
	endif
	if_ge v2.y, c30.y
		add r1, r1, c3
	endif
else
	mad r1, r1, c2, v2
endif
mov o2, r1
if !b0
	mov o1, v1
else
	mov o1, v2
endif
