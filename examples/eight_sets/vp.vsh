vs_1_1
// all eight texture coordinates are in use: sets 0-3 from the vertex, the rest scrolled or scaled here
dcl_position v0
dcl_texcoord0 v1
dcl_texcoord1 v2
dcl_texcoord2 v3
dcl_texcoord3 v4
mov oPos, v0
mov oT0.xy, v1
mov oT1.xyz, v2
mov oT2, v3
mov oT3.xy, v4
add oT4.xy, v1, c0
add oT5.xy, v2, c1
mul oT6.xy, v3, c2
mul oT7.xy, v4, c3
