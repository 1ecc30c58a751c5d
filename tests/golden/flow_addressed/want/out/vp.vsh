vs_2_x
// skinned by one bone or not at all, lit by lights that aL counts, and by a subroutine
// fpmove: c254 = ps c0
// fpmove: c255 = ps c1
defi i1, 2, 0, 4, 0
dcl_position v0
dcl_normal v1
dcl_texcoord v2
dcl_blendindices v3
if b0
	mova a0.x, v3.x
	m4x3 r0.xyz, v0, c[a0.x + 16]
	m3x3 r1.xyz, v1, c[a0.x + 16]
	mov r0.w, v0.w
else
	mov r0, v0
	mov r1.xyz, v1
endif
m4x4 oPos, r0, c0
mov r2, c8
loop aL, i1
	dp3 r3.x, r1, c[aL + 10]
	mad r2, r3.x, c[aL + 11], r2
endloop
if b1
	mul r2, r2, c9
endif
add oT0, r2, c255
mul oT1.xy, v2, c254
