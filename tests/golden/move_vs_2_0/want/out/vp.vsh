vs_2_0
// fpmove: c1 = ps c1
// fpmove: c2 = ps c2
// fpmove: c3 = ps c3
dcl_position v0
dcl_texcoord v1
mov oPos, v0
abs r0.xy, v1
lrp oT0.xy, c0.x, r0, c0.y
lrp r3.xy, c0.x, r0, c0.y
mov r1, c1
nrm r0, r1
mov oT1.z, r0.z
abs r2.x, c2.x
pow r2.x, r2.x, c2.y
lrp r0.xy, r2.x, r0, c3
add oT1.xy, r0, r3
frc r1.xw, c2
mov oT2, r1.xw
