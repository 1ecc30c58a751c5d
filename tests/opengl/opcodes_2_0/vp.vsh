vs_2_0
// the opcodes that vs_2_0 has beyond vs_1_1, and those that mean something else in it; c4-c7 transform, c20 on and c130 on are numbers of any kind
dcl_position v0
dcl_texcoord v1
dcl_texcoord1 v2
def c0, 0.5, 1, 3, -0.25
def c1, -1.55009923e-006, -2.17013894e-005, 0.00260416674, 0.00026041668
def c2, -0.020833334, -0.125, 1, 0.5
m4x4 oPos, v0, c4
mul r0, v1, c0.z
add r1, v2, c0.w
abs oT0, r1
crs r2.xyz, r0, v2
mov r2.w, r1.y
mov oT1, r2
lrp oT2, r1, r0, v2
nrm r2, r1
mov oT3, r2
pow r2.x, -r0.x, r1.x
mov oT4.x, r2.x
expp oT4.y, r1.x
logp oT4.w, -r0.x
frc oT4.z, -r0.z
sgn r3, -r1, r4, r5
add oT5, r3, r0
sincos r4.xy, r0.x, c1, c2
mov oT6.xy, r4
mova a0.xz, r0
mov oT6.zw, c[a0.x + 20]
add oT7, r1, c[a0.z + 130]
