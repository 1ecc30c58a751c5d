vs_1_1
// column k and all that is right of it, from the texels that hold row k + 1
dcl_position v0
dcl_texcoord v1
mov oPos, v0
mov oT0.xy, v1
