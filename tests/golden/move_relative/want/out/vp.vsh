vs_1_1
// fpmove: c90 = ps c1
// fpmove: c91 = ps c0
dcl_position v0
dcl_blendindices v1
dcl_texcoord v2
mov a0.x, v1.x
m4x4 oPos, v0, c[a0.x + 4]
add oT0.xy, v2, c[a0.x + 8]
add r2.xy, v2, c[a0.x + 8]
add oT1.xy, r2, c91
add oT2.xy, r2, c90
