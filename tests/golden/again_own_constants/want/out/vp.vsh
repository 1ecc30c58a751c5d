vs_1_1
// fpmove: c0 stays the application's
// fpmove: c1 stays the application's
// fpmove: c2 stays the application's
// fpmove: c3 stays the application's
// fpmove: c4 stays the application's
// fpmove: c5 stays the application's
// fpmove: c7 stays the application's
// fpmove: c8 stays the application's
// fpmove: c9 stays the application's
// fpmove: c6 = ps c1
dcl_position v0
dcl_texcoord1 v1
dcl_normal2 v2
dcl_normal3 v3
dcl_texcoord4 v4
dcl_blendweight5 v5
dcl_color6 v6
dcl_color7 v7
mov oPos, v0
mov oFog.x, v0.w
rcp oT0.xyw, c6.y
frc r0.y, c6.y
frc r0.y, r0
mov oT0.z, r0.y
