vs_1_1
// silhouette: dark where the surface turns away; c0-c3 world-view-projection, c4 eye in object space
dcl_position v0
dcl_normal v1
m4x4 oPos, v0, c0
sub r0.xyz, c4, v0
dp3 r0.w, r0, r0
rsq r0.w, r0.w
mul r0.xyz, r0, r0.w
dp3 oT0.x, r0, v1
