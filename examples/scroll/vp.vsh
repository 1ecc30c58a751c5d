vs_1_1
// quad under two scrolling layers
dcl_position v0
dcl_texcoord v1
mov oPos, v0
mov oT0.xy, v1
