vs_1_1
// fpmove: c0 = ps c0
dcl_position v0
dcl_texcoord v1
mov oPos, v0
mov oT0.xy, v1
mov oT1.xy, v1.zwzw
add r1.xy, v1.zwzw, c0
mov oT2.xy, r1.xy
add r2.xy, v1, c0
mov oT3.xy, r2.xy
