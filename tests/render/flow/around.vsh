vs_3_0
; both programs have loops; the pixel program moves in part, one value out of a loop
defi i0, 3, 1, 1, 0
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
add r1.x, v2.y, c30.y
loop aL, i0
	mad r0, r0, c[aL + 8], r1.x
endloop
mov o1, r0
mov o2, v1
mov o3, v2
