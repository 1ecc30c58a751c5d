vs_1_1
// half as many candidates
dcl_position v0
dcl_texcoord v1
mov oPos, v0
mov oT0.xy, v1
