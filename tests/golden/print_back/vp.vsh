; a comment before the version, with don't in it
vs.1.1		// old spelling
/* two
   lines */
DCL_POSITION0 V0
dcl_texcoord	v1
dcl_color v2
def c7, 0, 1.0f, .5, 1e-3

mov oPos,v0    // position
MOV oT0.XY, v1
mov oD0, v2.bgra
