vs_2_0
defi i0, 4, 0, 1, 0
dcl_position v0
dcl_texcoord v1
mov r0, c0
loop aL, i0   // sums four rows
	mad r0, v0.x, c[aL + 8], r0
endloop
if b0
	mul r0, r0, c2
endif
mov oPos, r0
mov oT0, v1
