vs_1_1
// full-screen quad of the vertical 3-tap convolution: position as given, texture coordinate in t0
dcl_position v0
dcl_texcoord v1
mov oPos, v0
mov oT0.xy, v1
