vs_2_0
// fpmove: c6 stays the application's
// fpmove: c7 stays the application's
dcl_position v0
dcl_normal v1
dcl_texcoord v2
m4x4 oPos, v0, c0
mov oT0.xy, v2
dp4 oT1.x, v0, c4
dp4 oT1.y, v0, c5
