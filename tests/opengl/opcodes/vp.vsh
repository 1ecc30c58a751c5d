vs_1_1
// each opcode of vs_1_1, where the pixel program shows what it does; c4-c7 transform, c23 to c76 are numbers of any kind
dcl_position v0
dcl_texcoord v1
dcl_texcoord1 v2
def c0, 0.5, 1, 3, -0.25
def c1, 1, 0, 0, 0
m4x4 oPos, v0, c4
mul r0, v1, c0.z
add r1, v2, c0.w
nop
// a power of 0 by 0, and one that counts
lit r2.z, c1
mov r3.xyz, r1
mov r3.w, r0.w
lit r3.yz, r3
add r3.y, r3.y, r2.z
mov r3.xw, r1
mov oT0, r3
dst r2, r0, v2
mov oT1, r2
expp r2, -r0.x
m3x4 r3, r1, c8
add oT2, r2, r3
logp r2, -r0.y
m3x3 r3.xyz, r1, c12
mov r3.w, r1.y
add oT3, r2, r3
exp oT4.x, r1.x
log oT4.y, -r0.y
rcp oT4.z, r0.z
rsq oT4.w, -r0.w
sge r2.xy, r0, v2
slt r2.zw, r0, v2
m4x3 r3.xyz, r1, c16
add oT5.xyz, r2, r3
add oT5.w, r2, -r1.x
min oT6.xy, r1, v1
max oT6.zw, r1, v1
add r2.x, r0.x, c0.z
mov a0.x, r2.x
mov r2, c[a0.x + 24]
mul r2, r2, c0.x
m3x2 r3.xy, r1, c[a0.x + 20]
mov r3.zw, r1
add r2, r2, r3
mad oT7, r1.wzyx, c0.x, r2
dp3 oD0.x, r1, v1
dp4 oD0.y, r1, v1
sub oD0.zw, r1, v1
frc r4.xy, r0
mov oD1.xy, r4
mul oD1.zw, c[a0.x + 70], r1
rcp oFog, r0.x
mov oPts, r1.y
