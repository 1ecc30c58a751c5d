; every form of text that Wine's assembler and fpmove both read: "isn't closed

/* before the version
   token */
VS.1.1	// after it; on the line
DEF c20, 1.0F, .5, -2., 1e-3 ; the order of def and dcl is free
dcl_position v0
dcl_normal0 V1.xyz
dcl_blendweight v2
dcl_blendindices	v3
dcl_psize v4
dcl_tangent v5
dcl_binormal v6
dcl_tessfactor v7
dcl_color v8
dcl_color1 v9
dcl_fog v10
dcl_depth v11
dcl_sample v12
dcl_texcoord v13
dcl_texcoord7 v14.xyzw
def c21,0,-0,16777217,0.00000000000000000000000000000000000000000000140129846432481707
def c22, 340282346638528859811704183484516925440.0, 00001.50, 3f, 1E+2f
mov a0.x, v3.x
mov r0, c[a0.x]
mov r1, c[a0.x+2]
add r1, r0, -c[2 + A0.x + 12].wzyx
mov r2, c1[a0.x+2]
mov r3, c[4] mov r4, c4[2]
MOV R5.rgb, V1.BGR
mul r5, v13.xy, r5.x ;// a comment in a comment
mad r6,-v2,r5,
	-c20.rgba
m4x4 oPos, v0, c[8]
m4x3 r7.xyz, v0, c0
m3x4 r8, v0, c0
m3x3 r9.xyz, v0, c0
m3x2 r10.xy, v0, c0
rcp r0.x, v4.x
rsq r0.y, v4.y
exp r0.z, v4.z
log r0.w, v4.w
expp r1.xyz, v4.x
logp r1.w, v4.x
lit r2, v5
dst r3, v6, r2
frc r4.xy, v7
frc r4.y, v7
dp3 r5.w, v8, r4
dp4 r6.yz, v9, r5
min r7, v10, r6
max r8, v11, r7
slt r9, v12, r8
sge r10, v14, r9
sub r11, r10, v8
nop
mov oD0, r1
mov od1.xyz, r2
mov oT0.x, r3
mov ot0.yzw, r4
mov oT1, r5.xyzw
mov oFog, r6.x
mov oPts.x, r7.w
