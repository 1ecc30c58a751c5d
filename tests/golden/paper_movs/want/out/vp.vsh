vs_1_1
// fpmove: c0 = ps c0
// fpmove: c1 = ps c1
// fpmove: c2 = ps c2
// fpmove: c3 = ps c3
dcl_position v0
dcl_texcoord v1
mov oPos, v0
mov oT0.xy, v1
rcp r0.x, c0.x
mul r0.y, r0.x, c0.y
mad oT1.xy, r0, c1, v1
add r2.y, v1.y, r0.y
mov oT2.xy, r2.y
mov r3.xy, c2
add r3.xy, r3, c3.x
mov oT3.xy, r3.xy
add oT4.xy, r3, v1
