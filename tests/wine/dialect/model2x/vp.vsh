vs_2_a
dcl_position v0
dcl_normal v1
dcl_texcoord v2
def c9, -1.5500992e-006, -2.1701389e-005, 0.0026041667, 0.00026041668
def c10, -0.020833334, -0.125, 1.0, 0.5
mova a0.xyw, v2
mov r0, c[a0.y+20]
add r0, r0, c[a0.w + 30]
mad r11, r0, c[a0.x], -v1
sincos r1.xy, r0.x, c9, c10
abs r2, -r11
nrm r3.xyz, v1
crs r4.xyz, r3, v1
sgn r5, r2, r6, r7
lrp r8, r2, r5, r0
pow r9.x, r8.x, c10.y
m4x4 oPos, v0, c0
mov oT0, r8
mov oT1.xy, r1
mov oT1.zw, r9.x
mov oD0, r5
mov oFog, r4.x
