vs_1_1
// t0 has no .z; t1's is compared with depths, and t2 has room beside it
dcl_position v0
dcl_texcoord v1
m4x4 oPos, v0, c0
mov oT0.xy, v1
mov oT1, v1
