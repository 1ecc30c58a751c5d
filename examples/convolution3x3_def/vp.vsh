vs_1_1
// quad of the 3x3 convolution with fixed offsets
dcl_position v0
dcl_texcoord v1
mov oPos, v0
mov oT0.xy, v1
