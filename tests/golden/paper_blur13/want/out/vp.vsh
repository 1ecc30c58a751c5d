vs_1_1
// fpmove: c0 = ps c0
// fpmove: c1 = ps c1
// fpmove: c2 = ps c2
dcl_position v0
dcl_texcoord v1
mov oPos, v0
mov oT0.xy, v1
rcp r0.x, c0.x
mov r0.y, c0.z
add oT1.xy, v1, r0
mul r2.x, r0.x, c1.x
mov r2.y, r0.y
add oT2.xy, r2, v1
mul r3.x, r0.x, c1.y
mov r3.y, r0.y
add oT3.xy, r3, v1
mul r4.x, r0.x, c1.z
mov r4.y, r0.y
add oT4.xy, r4, v1
mul r5.x, r0.x, c1.w
mov r5.y, r0.y
add oT5.xy, r5, v1
mul r6.x, r0.x, c2.x
mov r6.y, r0.y
add oT6.xy, r6, v1
mov r1.x, -r0.x
mov r1.y, r0.y
add oT7.xy, r1, v1
