vs_1_1
// trailing part of the matrix, four columns in a texel
dcl_position v0
dcl_texcoord v1
mov oPos, v0
mov oT0.xy, v1
