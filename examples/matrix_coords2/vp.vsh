vs_1_1
dcl_position v0
dcl_texcoord0 v1
dcl_texcoord1 v2
// two coordinate sets, raw
mov oPos, v0
mov oT0, v1
mov oT1, v2
