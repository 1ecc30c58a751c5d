vs_3_0
// fpmove: c253 = ps c2
// fpmove: c254 = ps c1
// fpmove: c255 = ps c0
dcl_position v0
dcl_texcoord v1
dcl_normal v2
dcl_position0 o0
dcl_texcoord9 o10
dcl_texcoord10 o11
m4x4 o0, v0, c0
mov o11, v1
mul r0, v1, c255
add r0, r0, c254
mad o10, r0, c253, v1
