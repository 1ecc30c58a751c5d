vs_1_1
// full-screen quad of the vertical 3-tap convolution: position as given, texture coordinate in t0
// fpmove: c94 = ps c3
// fpmove: c95 = ps c4
dcl_position v0
dcl_texcoord v1
def c93, 1, -1, 0, 0
mov oPos, v0
mov oT0.xy, v1
mov r0.x, c95.y
rcp r0.y, c94.y
add oT1.xy, v1, r0
mad oT2.xy, r0, c93, v1
