vs_1_1
// fpmove: c95.xyz = def c32, 0.15915494, 0.5, 6.2831855, -3.1415927; def c33, -0.0000015500992, -0.00002170139, 0.0026041667, 0.00026041668; def c34, -0.02083333, -0.125, 1, 0.5; def c35, -0.0000015500992, -0.00002170139, 0.0026041667, 0.00026041668; def c36, -0.02083333, -0.125, 1, 0.5; def c37, 1, 0, 0, 0; mad r1.x, c0.x, c32.x, c32.y; frc r1.y, r1.x; mad r1.x, r1.y, c32.z, c32.w; sincos r31.y, r1.x, c33, c34; mov r1.y, r31.y; sincos r31.x, r1.x, c35, c36; mov r1.z, r31.x; mov r1.x, -c37.x; mul r1.w, r1.y, r1.x; mov r0.x, r1.y; mov r0.y, r1.z; mov r0.z, r1.w
dcl_position v0
dcl_texcoord v1
mov oPos, v0
mul r0.xy, v1.x, c95
mad oT0.xy, v1.y, c95.yz, r0
