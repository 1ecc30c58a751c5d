vs_1_1
// two-bone skinning: matrices of three rows from c20 on, bone numbers times 3 in v2.xy, weight of the first in v1.x; c0-c3 view-projection
dcl_position v0
dcl_blendweight v1
dcl_blendindices v2
dcl_normal v3
dcl_texcoord v4
def c8, 1.0, 0.0, 0.0, 0.0
mov a0.x, v2.x
dp4 r0.x, v0, c[a0.x+20]
dp4 r0.y, v0, c[a0.x+21]
dp4 r0.z, v0, c[a0.x+22]
dp3 r1.x, v3, c[a0.x+20]
dp3 r1.y, v3, c[a0.x+21]
dp3 r1.z, v3, c[a0.x+22]
mov a0.x, v2.y
dp4 r2.x, v0, c[a0.x+20]
dp4 r2.y, v0, c[a0.x+21]
dp4 r2.z, v0, c[a0.x+22]
dp3 r3.x, v3, c[a0.x+20]
dp3 r3.y, v3, c[a0.x+21]
dp3 r3.z, v3, c[a0.x+22]
sub r0.xyz, r0, r2
mad r0.xyz, v1.x, r0, r2
sub r1.xyz, r1, r3
mad r1.xyz, v1.x, r1, r3
mov r0.w, c8.x
dp4 oPos.x, r0, c0
dp4 oPos.y, r0, c1
dp4 oPos.z, r0, c2
dp4 oPos.w, r0, c3
dp3 r1.w, r1, r1
rsq r1.w, r1.w
mul r1.xyz, r1, r1.w
dp3 r2.x, r1, c5
max oT1.x, r2.x, c8.y
mov oT0.xy, v4
