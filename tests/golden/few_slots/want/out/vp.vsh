vs_1_1
// full-screen quad of the vertical 3-tap convolution: position as given, texture coordinate in t0
// fpmove: c3 = ps c3
dcl_position v0
dcl_texcoord v1
mov oPos, v0
mov oT0.xy, v1
mov r2.w, v1.x
mov oT2, r2.w
rcp r3.z, c3.y
mov oT1.xyz, r3.z
