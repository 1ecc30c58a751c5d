; a comment before the version, with don't in it
vs_1_1 // old spelling
/* two
   lines */
dcl_position0 v0
dcl_texcoord v1
dcl_color v2
def c7, 0, 1.0f, .5, 1e-3

mov oPos, v0 // position
mov oT0.xy, v1
mov oD0, v2.zyxw
