vs_1_1
// floor with a sharpened detail map
dcl_position v0
dcl_texcoord0 v1
dcl_texcoord1 v2
m4x4 oPos, v0, c0
mov oT0.xy, v1
mov oT1.xy, v2
