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
// fpmove: c10 stays the application's
// fpmove: c11 stays the application's
// fpmove: c12 stays the application's
// fpmove: c13 stays the application's
// fpmove: c14 stays the application's
// fpmove: c15 stays the application's
// fpmove: c16 stays the application's
// fpmove: c17 stays the application's
// fpmove: c18 stays the application's
// fpmove: c19 stays the application's
// fpmove: c20 stays the application's
// fpmove: c21 stays the application's
// fpmove: c22 stays the application's
// fpmove: c23 stays the application's
// fpmove: c24 stays the application's
// fpmove: c25 stays the application's
// fpmove: c26 stays the application's
// fpmove: c27 stays the application's
// fpmove: c28 stays the application's
// fpmove: c29 stays the application's
// fpmove: c30 stays the application's
// fpmove: c31 stays the application's
// fpmove: c32 stays the application's
// fpmove: c33 stays the application's
// fpmove: c34 stays the application's
// fpmove: c35 stays the application's
// fpmove: c36 stays the application's
// fpmove: c37 stays the application's
// fpmove: c38 stays the application's
// fpmove: c39 stays the application's
// fpmove: c40 stays the application's
// fpmove: c41 stays the application's
// fpmove: c42 stays the application's
// fpmove: c43 stays the application's
// fpmove: c44 stays the application's
// fpmove: c45 stays the application's
// fpmove: c46 stays the application's
// fpmove: c47 stays the application's
// fpmove: c48 stays the application's
// fpmove: c49 stays the application's
// fpmove: c50 stays the application's
// fpmove: c51 stays the application's
// fpmove: c52 stays the application's
// fpmove: c53 stays the application's
// fpmove: c54 stays the application's
// fpmove: c55 stays the application's
// fpmove: c56 stays the application's
// fpmove: c57 stays the application's
// fpmove: c58 stays the application's
// fpmove: c59 stays the application's
// fpmove: c60 stays the application's
// fpmove: c61 stays the application's
// fpmove: c62 stays the application's
// fpmove: c63 stays the application's
// fpmove: c64 stays the application's
// fpmove: c65 stays the application's
// fpmove: c66 stays the application's
// fpmove: c67 stays the application's
// fpmove: c68 stays the application's
// fpmove: c69 stays the application's
// fpmove: c70 stays the application's
// fpmove: c71 stays the application's
// fpmove: c72 stays the application's
// fpmove: c73 stays the application's
// fpmove: c74 stays the application's
// fpmove: c75 stays the application's
// fpmove: c76 stays the application's
// fpmove: c77 stays the application's
// fpmove: c78 stays the application's
// fpmove: c79 stays the application's
// fpmove: c80 stays the application's
// fpmove: c81 stays the application's
// fpmove: c82 stays the application's
// fpmove: c83 stays the application's
// fpmove: c84 stays the application's
// fpmove: c85 stays the application's
// fpmove: c86 stays the application's
// fpmove: c87 stays the application's
// fpmove: c88 stays the application's
// fpmove: c89 stays the application's
// fpmove: c90 stays the application's
// fpmove: c91 stays the application's
// fpmove: c92 stays the application's
// fpmove: c93 stays the application's
// fpmove: c94 stays the application's
// fpmove: c95 stays the application's
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
