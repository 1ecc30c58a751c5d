vs_3_0
// fpmove: c255 = ps c0
dcl_position v0
dcl_texcoord v1
dcl_position o0
dcl_texcoord1 o1
mov o0, v0
if b0
	mov r0, v1
else
	mov r0, -v1
endif
mul o1, r0, c255
