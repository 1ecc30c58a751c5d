vs_1_1
// full-screen quad of the vertical 3-tap convolution: position as given, texture coordinate in t0
// fpmove: c3 = ps c3
// fpmove: c4 = ps c4
dcl_position v0
dcl_texcoord v1
mov oPos, v0
mov oT0.xy, v1
mov r2.w, v1.x
mov r3.x, c4.y
mov r2.x, c4.y
rcp r3.z, c3.y
mov r2.y, -r3.z
add r3.y, r3.z, r3.z
add r2.xy, r2, v1
mov oT1.xy, r2.xy
add oT2.y, r3.y, r2.y
add oT2.x, r2.w, r3.x
