vs_2_0
dcl_position v0
dcl_texcoord v1
dcl_normal v2
dcl_tangent v3
m4x4 oPos, v0, c0
mov oT0.xy, v1
mov oT1.xyz, v2
mov oT2.xyz, v3
