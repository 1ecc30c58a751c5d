vs_1_1
// t0 has no .z; t1's is compared with depths, and t2 has room beside it
// fpmove: c95 = ps c2
dcl_position v0
dcl_texcoord v1
def c94, 0.01, 0, -0.0005, 0
m4x4 oPos, v0, c0
mov oT0.xy, v1
mul oT0.z, v1.x, c95.x
add oT1, v1, c94.xyzy
