vs_1_1
// drawn over a z-prepass: the position of skinned vertices, scaled, must not differ in the last bit
// fpmove: c95 = ps c0
dcl_position v0
dcl_texcoord v1
dcl_blendindices v2
def c8, 3, 0, 1, 0.5
mul r0.x, v2.x, c8.x
add r0.x, r0.x, v2.y
mov a0.x, r0.x
dp4 r1.x, v0, c[a0.x + 20]
dp4 r1.y, v0, c[a0.x + 21]
dp4 r1.z, v0, c[a0.x + 22]
mov r1.w, c8.z
mul r2, r1, c4
add r2, r2, v0
mul r2, r2, c8.w
dp4 oPos.x, r2, c0
dp4 oPos.y, r2, c1
dp4 oPos.z, r2, c2
dp4 oPos.w, r2, c3
mad r0.xy, v1, c5, v1
add oT1.xy, r2, r2
add oT0.xy, r0, c95
