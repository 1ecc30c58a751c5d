vs_3_0
// fpmove: c9 stays the application's
dcl_position v0
dcl_texcoord0 v1
dcl_position o0
dcl_texcoord0 o1
dcl_texcoord2 o2.xyz
dp4 o0.x, v0, c0
dp4 o0.y, v0, c1
dp4 o0.z, v0, c2
dp4 o0.w, v0, c3
dp4 o1.x, v0, c4
dp4 o1.y, v0, c5
dp4 o1.z, v0, c7
mov o2.xyz, v1
