vs_1_1
// column k, from the texel that holds row k + 1
dcl_position v0
dcl_texcoord v1
mov oPos, v0
mov oT0.xy, v1
