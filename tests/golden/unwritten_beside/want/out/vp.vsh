vs_3_0
// fpmove: c252 = ps c2
// fpmove: c253 = ps c0
// fpmove: c255 = ps c1
dcl_position v0
dcl_texcoord v1
dcl_normal v2
dcl_position o0
dcl_texcoord o1.xy
dcl_texcoord1 o2
def c254, 1, -1, 0, 0
dcl_texcoord2 o3
m4x4 o0, v0, c0
mul r0.xy, v2, c4
mov o3.x, r0
mad o3.yzw, r0.x, -c255.xxyz, c255.xxyz
mad r1.xy, v1.yx, c254, c254.zx
add o1.xy, r1, c253
mov o2.x, r0.y
mad o2.yzw, r0.y, -c252.xxyz, c252.xxyz
