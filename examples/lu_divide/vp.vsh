vs_1_1
// column k below the pivot
dcl_position v0
dcl_texcoord v1
mov oPos, v0
mov oT0.xy, v1
