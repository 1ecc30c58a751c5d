vs_3_0
// fpmove: c255 = ps c0
dcl_position v0
dcl_texcoord v1
dcl_position o0
dcl_2d s2
def c254, 0.5, 0.25, 0, 0
dcl_texcoord1 o1
m4x4 o0, v0, c0
texldl r1.xy, v1.xy, s2.yx
add r0.xy, v1, r1
mad r1.xy, r0, c255, c255.zw
mad o1.zw, r1.xxxy, c254.x, c254.y
mov o1.xy, r0
