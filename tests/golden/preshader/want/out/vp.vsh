vs_1_1
; position through the world-view-projection matrix, texture coordinate as given
// fpmove: c95.xyz = def c32, 0, 0, 0, 0; rcp r1.x, c0.x; mul r1.y, c1.y, c1.x; frc r1.z, r1.y; mov r0.x, r1.x; mov r0.y, r1.z; mov r0.z, c32.x
dcl_position v0
dcl_texcoord v1
m4x4 oPos, v0, c0
mov oT0.xy, v1
mad oT1.xy, v1, c95.x, c95.yz
