vs_1_1
// diffuse light from far away, by the vertex: the cosine of its angle to the normal, none from behind
// c0..c3 world-view-projection, c4..c6 world; c7.xyz towards the light, c7.w 0; c8 light, c9 material, c10 ambient
dcl_position v0
dcl_normal v1
m4x4 oPos, v0, c0
m3x3 r0.xyz, v1, c4
dp3 r0.w, r0, r0
rsq r0.w, r0.w
mul r0.xyz, r0, r0.w
dp3 r0.w, r0, c7
max r0.w, r0.w, c7.w
mov r1, c8
mul r1, r1, r0.w
add r1, r1, c10
mul oD0, r1, c9
