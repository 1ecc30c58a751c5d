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
add r0.xy, r2, c91
mov oT1.xy, r0.xy
add r1.xy, r2, c90
mov oT2.xy, r1.xy
