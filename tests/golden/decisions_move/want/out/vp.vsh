vs_1_1
// fpmove: c95 = ps c0
dcl_position v0
dcl_texcoord v1
dcl_normal v2
m4x4 oPos, v0, c0
mov oT0.xy, v1
mov oT1, v2
add oT2, v2.z, -c95.x
