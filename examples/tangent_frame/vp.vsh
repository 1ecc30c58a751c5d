vs_1_1
// object-space normal, tangent and light, raw
dcl_position v0
dcl_normal v1
dcl_tangent v2
dcl_texcoord v3
m4x4 oPos, v0, c0
mov oT0.xy, v3
mov oT1.xyz, v1
mov oT2.xyz, v2
sub oT3.xyz, c4, v0
