vs_1_1
// fpmove: c0 = ps c0
dcl_position v0
dcl_texcoord v1
mov oPos, v0
mov oT0.xy, v1
mov oT1.xy, v1.zwzw
add oT2.xy, v1.zwzw, c0
add oT3.xy, v1, c0
