vs_1_1
dcl_position v0
dcl_texcoord v1
m4x4 oPos, v0, c0
mov oT0.xy, v1
