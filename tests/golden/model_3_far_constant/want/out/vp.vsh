vs_3_0
// fpmove: c40 = ps c40
dcl_position v0
dcl_texcoord v1
dcl_normal v2
dcl_position0 o0
dcl_texcoord0 o1
dcl_texcoord1 o2
m4x4 o0, v0, c0
mov o1, v1
add o2, v1, c40
