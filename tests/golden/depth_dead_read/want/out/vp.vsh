vs_1_1
// fpmove: c94 = ps c1
// fpmove: c95 = ps c4
dcl_position v0
dcl_tangent4 v4
mov oPos, v0
add oT0.xy, v4, c95
mul oT0.z, v4.x, c94.x
