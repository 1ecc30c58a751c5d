vs.1.1
// quad of the 3x3 convolution: corners from the application, one coordinate set
dcl_position v0
dcl_texcoord v1
mov oPos, v0
mov oT0.xy, v1
