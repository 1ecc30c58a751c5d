// a wall with a light map: o# in another order than v#, two coordinates in one register
vs_3_0
def c9, 1, 0.5, 0, 0
dcl_position v0
dcl_normal v1
dcl_texcoord v2
dcl_texcoord1 v3
dcl_texcoord o0.xy // of the wall
dcl_texcoord1 o0.zw
dcl_color o3
dcl_position o1
dcl_normal o4.xyz
m4x4 r0, v0, c0
mov o1, r0
mov o0.xy, v2
mov o0.zw, v3.xyxy
mov o4.xyz, v1
mov_sat o3, c8
