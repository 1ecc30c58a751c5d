vs_1_1
// fpmove: c92 = ps c1
// fpmove: c93 = ps c0
// fpmove: c94 = ps c2
// fpmove: c95 = ps c3
dcl_position v0
dcl_texcoord v1
dcl_color v2
mov oPos, v0
mov oT0.xy, v1
mov r0, c95
add oT2, c94, -r0
add r1, v2, c93
mad oT1, r1, c92.x, r0
