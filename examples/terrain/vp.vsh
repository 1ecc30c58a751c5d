vs_1_1
// terrain patch: heights come ready, world position gives the coordinates; c0-c3 view-projection, c4 = 1 / patch size, c5 eye, c6 fog range
dcl_position v0
dcl_normal v1
def c10, 0.0, 1.0, 0.0, 0.0
dp4 oPos.x, v0, c0
dp4 oPos.y, v0, c1
dp4 oPos.z, v0, c2
dp4 oPos.w, v0, c3
mul r0, v0.xzxz, c4
mov oT0.xy, r0
mov oT1, v0.xzxz
// sunlight: c7 direction, c8 colour, c9 ambient
dp3 r1.w, v1, c7
max r1.w, r1.w, c10.x
mov r2, c9
mad oT2.xyz, r1.w, c8, r2
// distance fog factor
sub r3.xyz, v0, c5
dp3 r3.w, r3, r3
rsq r3.x, r3.w
mul r3.w, r3.w, r3.x
mov r4, c6
sub r3.w, r4.y, r3.w
mul r3.w, r3.w, r4.z
max r3.w, r3.w, c10.x
min oT2.w, r3.w, c10.y
