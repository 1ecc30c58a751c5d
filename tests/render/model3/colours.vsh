vs_3_0
dcl_position v0
dcl_color v1
dcl_color1 v2
dcl_texcoord v3
dcl_texcoord o5.xy
dcl_color o1
dcl_position o3
dcl_color1 o2.xyz
dcl_fog o4.x
mov o3, v0
mov o5.xy, v3
mov o1, v1
mul o2.xyz, v2, c8
mov o4.x, v3.w
