; what vs_3_0 has and the models before have not
vs_3_0
def c255, 0.25, -1.0, 2, 0
dcl_position v0
dcl_texcoord v1.xy
dcl_blendindices v2
dcl_2d s0
dcl_cube s3
dcl_volume s1
dcl_position o0
dcl_psize o11
dcl_color o1
dcl_color1 o10.xyz
dcl_texcoord5 o2.xy	// two usages share out a register
dcl_texcoord7 o2.zw
dcl_texcoord o3.yz
dcl_normal o4.xyz
dcl_fog o5.x
mova a0, v2
mova a0.xz, -v2_abs.w
mov r0, c[a0.x + 3]
add r1, r0, -c[a0.y+7].wzyx
mul r2, r1_abs, c[12 + a0.z]
mad_sat r3.xyz, -r2_abs.yzxw, c[a0.w], r1
texldl r4, v1, s0
texldl r5.yw, r3.xyzx, s3
texldl r6, -r4_abs.wwxy, s1
sincos r7.xy, v0.w
sincos r7.y, -c255_abs.x
mov_sat r8, v0_abs
rcp_sat r9.w, -v0_abs.z
rsq r9.xyz, r8_abs.y
pow r31.x, r9.w, r8.x
nrm r30.xyz, v0
crs r29.xyz, r30, v1
lit r28, r2
dst r27, r2, r1
frc r26, r4
log r25.x, r4.y
exp r25.y, r4.y
sgn r24, r4, r22, r23
abs r21, -v0_abs
m4x4 o0, v0, c8
m3x4 r20, v0_abs, c252
mul_sat o1, r3, c[a0.x+1]_abs
mov o10.xz, r21
mov o10.y, r20
mad o2, r5_abs.y, c2, -r6
max o3.yz, r7.x, r7.y
mov o4.x, r29
dp3_sat o4.y, r29, r27
lrp o4.z, r26_abs, r25.x, r24
mov o5.x, r31.x
mov o11.x, r28.y
