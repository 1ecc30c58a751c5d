// a wall with a light map: o# in another order than v#, two coordinates in one register
vs_3_0
// fpmove: c253 = ps c0
// fpmove: c254 = ps c1
def c9, 1, 0.5, 0, 0
dcl_position v0
dcl_normal v1
dcl_texcoord v2
dcl_texcoord1 v3
dcl_texcoord o0.xy // of the wall
dcl_texcoord1 o0.zw
dcl_color o3
dcl_position o1
def c255, 2, -1, 0, 0
dcl_texcoord2 o2
m4x4 o1, v0, c0
mov_sat o3.xyz, c8
mad o0.xyz, v1, c255.x, c255.y
add o2.xy, v3, c254.x
mad o2.zw, v2.xxxy, c253.xxxy, c253
