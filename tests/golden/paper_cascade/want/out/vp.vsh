vs_1_1
// fpmove: c0 = ps c0
// fpmove: c1 = ps c1
dcl_position v0
dcl_texcoord v1
mov oPos, v0
mov oT0.xy, v1
rcp r0.x, c0.x
mul r1.x, r0.x, c1.y
mov r1.y, c1.x
add oT1.xy, r1, v1
