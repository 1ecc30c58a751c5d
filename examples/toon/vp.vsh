vs_1_1
// toon shading: clip position, t0.x = diffuse term, t1.x = facing term, both as 1D coordinates
// c0-c3 world-view-projection, c4 light direction and c5 eye position in object space, c6.x = 0
dcl_position v0
dcl_normal v1
m4x4 oPos, v0, c0
dp3 r0.x, v1, c4
max oT0.x, r0.x, c6.x
sub r1.xyz, c5, v0
dp3 r1.w, r1, r1
rsq r1.w, r1.w
mul r1.xyz, r1, r1.w
dp3 oT1.x, r1, v1
mov oT0.y, c6.x
mov oT1.y, c6.x
