vs_1_1
// fpmove: c92 = ps c2
// fpmove: c93 = ps c1
// fpmove: c94 = ps c0
// fpmove: c95 = ps c3
dcl_position v0
dcl_texcoord v1
dcl_color v2
mov oPos, v0
mov oT0.xy, v1
mov r0, c95
add r1, v2, c94
mad oT1, r1, c93.x, r0
add oT2, c92, -r0
