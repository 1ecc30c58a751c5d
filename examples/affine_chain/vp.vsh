vs_1_1
// quad of the affine warp
dcl_position v0
dcl_texcoord v1
mov oPos, v0
mov oT0.xy, v1
