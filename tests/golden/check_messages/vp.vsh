vs_1_1
dcl_position v0
dcl_normal v0
mov r0, c[a0.x]
mov a0.y, v0.x
add r0, v0, v1
mov c0, r0
mov r1, oT0
frc r1, v0
m4x4 r0, r0, c94
m4x4 r0, v0, -c0
m3x3 r0, v0, c0
exp r2, v0
mov oT2.y, v0
mov oFog.w, v0
mul_sat r1, v0, v0
mova a0.x, v0.x
mov oPos.xyz, v0
add r0, -v0, v1
