vs_1_1
// ground of three layers: one coordinate set, repeated at fixed scales, as compilers write it; c0-c3 world-view-projection, c4 light direction
dcl_position v0
dcl_normal v1
dcl_texcoord v2
def c8, 8.0, 4.0, 0.5, 0.25
m4x4 oPos, v0, c0
mov oT0.xy, v2
mov oT1.xy, v2
mul oT2.xy, v2, c8.x
mad oT3.xy, v2, c8.y, c8.z
dp3 r0.x, v1, c4
mad oT4.xyz, r0.x, c8.z, c8.z
