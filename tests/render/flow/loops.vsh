vs_3_0
; aL addresses constants and inputs of both programs, and outputs; a loop is left by some pixels before others
defi i0, 3, 1, 1, 0
defi i1, 2, 2, 1, 0
defi i2, 2, 0, 0, 0
def c30, 0.25, 0.5, 0, 0
dcl_position v0
dcl_texcoord v1
dcl_texcoord1 v2
dcl_position o0
dcl_texcoord2 o1
dcl_texcoord o2
dcl_texcoord1 o3
mov o0, v0
mov r0, v1
mov r1, c30
loop aL, i0
	mad r0, r0, c[aL + 8], r1.x
	rep i2
		mad r0.yz, r0, r1.y, c[aL].x
	endrep
endloop
mov o1, r0
mov o2, v1
mov o3, v2
loop aL, i1
	mul o[aL].xy, v1, c30.y
endloop
