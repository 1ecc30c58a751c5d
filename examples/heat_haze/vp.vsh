vs_1_1
// screen-space quad of rising heat; c4.xy = -noise speed * time
dcl_position v0
dcl_texcoord0 v1
dcl_texcoord1 v2
mov oPos, v0
mov oT0.xy, v1
add oT1.xy, v2, c4
mul oT1.z, v2.z, c5.x
