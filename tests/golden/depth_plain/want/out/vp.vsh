vs_1_1
// A shadow map's coordinate, and one that has room beside it
// fpmove: c6 stays the application's
// fpmove: c93 = ps c2
// fpmove: c94 = ps c1
// fpmove: c95 = ps c0
dcl_position v0
dcl_texcoord v1
m4x4 oPos, v0, c0
dp4 oT1.x, v0, c4
dp4 oT1.y, v0, c5
dp4 oT1.w, v0, c7
add oT0.xy, v1, c95
mul oT0.z, v1.x, c94.x
mul oT1.z, c93.x, c93.x
