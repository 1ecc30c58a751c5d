vs_3_0
dcl_position v0
dcl_color v2
dcl_position o0
dcl_color o1
mul r5, v2, c7
mul r0, v0, c0
add r0, r0, r5
if b0
mul r0, r0, c2
endif
mov o0, r0
mov o1, r5
