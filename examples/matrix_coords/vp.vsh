vs_1_1
// quad with a four-component coordinate for the projective transform
dcl_position v0
dcl_texcoord v1
mov oPos, v0
mov oT0, v1
