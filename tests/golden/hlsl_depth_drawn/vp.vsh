vs_2_0
dcl_position v0
dcl_normal v1
dcl_texcoord v2
m4x4 oPos, v0, c0
mov oT0.xy, v2
m4x4 oT1, v0, c4
mov oT2.xyz, v1
