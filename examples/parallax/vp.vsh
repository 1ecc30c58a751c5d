vs_1_1
// parallax mapping: eye and light in tangent space; c0-c3 world-view-projection, c4 eye and c5 light in object space
dcl_position v0
dcl_tangent v1
dcl_binormal v2
dcl_normal v3
dcl_texcoord v4
m4x4 oPos, v0, c0
sub r0.xyz, c4, v0
dp3 oT1.x, r0, v1
dp3 oT1.y, r0, v2
dp3 oT1.z, r0, v3
sub r0.xyz, c5, v0
dp3 oT2.x, r0, v1
dp3 oT2.y, r0, v2
dp3 oT2.z, r0, v3
mov oT0.xy, v4
