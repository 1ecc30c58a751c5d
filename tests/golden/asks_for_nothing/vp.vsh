vs_1_1
dcl_position v0
dcl_texcoord v1
dcl_normal v2
m4x4 oPos, v0, c4
mov oT0.xyz, v2
mov oT1.xy, v1
