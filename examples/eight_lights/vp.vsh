vs_1_1
// eight point lights for each vertex: light i has position c[10+3i], colour c[11+3i], attenuation c[12+3i]
// c0-c3 view-projection, c4-c6 world rows, c8 ambient, c9.x = 0, c9.y = 1; light in oD0, world x and z for the ground maps in t1
dcl_position v0
dcl_normal v1
dcl_texcoord v2
dp4 r0.x, v0, c4
dp4 r0.y, v0, c5
dp4 r0.z, v0, c6
mov r0.w, c9.y
dp3 r4.x, v1, c4
dp3 r4.y, v1, c5
dp3 r4.z, v1, c6
mov r5, c8
// light 0
sub r1.xyz, c10, r0
dp3 r1.w, r1, r1
rsq r2.w, r1.w
mul r1.xyz, r1, r2.w
dst r3, r1.w, r2.w
dp3 r3.w, r3, c12
rcp r3.w, r3.w
dp3 r2.x, r1, r4
max r2.x, r2.x, c9.x
mul r2.x, r2.x, r3.w
mad r5.xyz, r2.x, c11, r5
// light 1
sub r6.xyz, c13, r0
dp3 r6.w, r6, r6
rsq r7.w, r6.w
mul r6.xyz, r6, r7.w
dst r8, r6.w, r7.w
dp3 r8.w, r8, c15
rcp r8.w, r8.w
dp3 r7.x, r6, r4
max r7.x, r7.x, c9.x
mul r7.x, r7.x, r8.w
mad r5.xyz, r7.x, c14, r5
// light 2
sub r9.xyz, c16, r0
dp3 r9.w, r9, r9
rsq r10.w, r9.w
mul r9.xyz, r9, r10.w
dst r11, r9.w, r10.w
dp3 r11.w, r11, c18
rcp r11.w, r11.w
dp3 r10.x, r9, r4
max r10.x, r10.x, c9.x
mul r10.x, r10.x, r11.w
mad r5.xyz, r10.x, c17, r5
// light 3
sub r1.xyz, c19, r0
dp3 r1.w, r1, r1
rsq r2.w, r1.w
mul r1.xyz, r1, r2.w
dst r3, r1.w, r2.w
dp3 r3.w, r3, c21
rcp r3.w, r3.w
dp3 r2.x, r1, r4
max r2.x, r2.x, c9.x
mul r2.x, r2.x, r3.w
mad r5.xyz, r2.x, c20, r5
// light 4
sub r6.xyz, c22, r0
dp3 r6.w, r6, r6
rsq r7.w, r6.w
mul r6.xyz, r6, r7.w
dst r8, r6.w, r7.w
dp3 r8.w, r8, c24
rcp r8.w, r8.w
dp3 r7.x, r6, r4
max r7.x, r7.x, c9.x
mul r7.x, r7.x, r8.w
mad r5.xyz, r7.x, c23, r5
// light 5
sub r9.xyz, c25, r0
dp3 r9.w, r9, r9
rsq r10.w, r9.w
mul r9.xyz, r9, r10.w
dst r11, r9.w, r10.w
dp3 r11.w, r11, c27
rcp r11.w, r11.w
dp3 r10.x, r9, r4
max r10.x, r10.x, c9.x
mul r10.x, r10.x, r11.w
mad r5.xyz, r10.x, c26, r5
// light 6
sub r1.xyz, c28, r0
dp3 r1.w, r1, r1
rsq r2.w, r1.w
mul r1.xyz, r1, r2.w
dst r3, r1.w, r2.w
dp3 r3.w, r3, c30
rcp r3.w, r3.w
dp3 r2.x, r1, r4
max r2.x, r2.x, c9.x
mul r2.x, r2.x, r3.w
mad r5.xyz, r2.x, c29, r5
// light 7
sub r6.xyz, c31, r0
dp3 r6.w, r6, r6
rsq r7.w, r6.w
mul r6.xyz, r6, r7.w
dst r8, r6.w, r7.w
dp3 r8.w, r8, c33
rcp r8.w, r8.w
dp3 r7.x, r6, r4
max r7.x, r7.x, c9.x
mul r7.x, r7.x, r8.w
mad r5.xyz, r7.x, c32, r5
// out
mov oD0, r5
mov oT0.xy, v2
mov oT1.xy, r0.xz
m4x4 oPos, r0, c0
