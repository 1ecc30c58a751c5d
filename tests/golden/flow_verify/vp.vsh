vs_3_0
defi i1, 2, 1, 1, 0
dcl_position v0
dcl_texcoord v1
dcl_normal v2
dcl_position o0
dcl_texcoord o1
dcl_color o2
dcl_texcoord1 o3
mov r0, v0
if b0
	loop aL, i0           // sums as many rows as the application says
		mad r0, v1.x, c[aL + 8], r0
	endloop
else
	call l0
endif
loop aL, i1               // writes o2 and o3, of v1 and v2
	mul o[aL + 1], v[aL], c0
endloop
setp_gt p0, v1, c1
mov r1, v1
(!p0.x) mov r1.zw, v2
mov o0, r0
mov o1, r1
ret
label l0
	callnz l1, b1
	add r0, r0, c2
ret
label l1
	rep i2
		mul r0, r0, c3
		break_lt r0_abs.x, c1.x
	endrep
ret
