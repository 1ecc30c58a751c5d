vs.1.1

/* image quad */

dcl_position	v0
dcl_texcoord0	v3

mov	oPos, v0
mov	oT0.xy, v3.xy
