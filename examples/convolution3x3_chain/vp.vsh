vs.1.1

/* quad of the 3x3 convolution that walks from tap to tap */

dcl_position	v0
dcl_texcoord0	v3

mov	oPos, v0
mov	oT0.xy, v3.xy
