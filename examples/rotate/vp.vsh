vs_1_1
// decal quad
dcl_position v0
dcl_texcoord v1
m4x4 opos, v0, c0
mov ot0.xy, v1
