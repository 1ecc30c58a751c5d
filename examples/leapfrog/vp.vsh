// one pixel a body
vs_1_1
dcl_position0 v0
dcl_texcoord0 v1
mov oPos, v0
mov oT0.xy, v1
