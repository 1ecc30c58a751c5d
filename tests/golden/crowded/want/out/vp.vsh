vs_3_0
// fpmove: c252 = ps c2
// fpmove: c253 = ps c5
// fpmove: c254 = ps c1
// fpmove: c255 = ps c4
dcl_position v0
dcl_texcoord0 v1
dcl_texcoord1 v2
dcl_texcoord2 v3
dcl_texcoord3 v4
dcl_texcoord4 v5
dcl_texcoord5 v6
dcl_position o0
dcl_texcoord0 o1
dcl_texcoord1 o2
dcl_texcoord2 o3
dcl_texcoord3 o4
dcl_texcoord4 o5
dcl_texcoord5 o6
dcl_texcoord6 o7.xyz
dcl_texcoord7 o8.xyz
dcl_texcoord8 o9.xyz
dcl_texcoord9 o10.xyz
mov o0, v0
mov o1, v1.xzwy
add o7.xyz, v4.ywz, c255
mul o2.xyz, v1.zxy, c254.x
mul o3.xyz, v3.wyz, c253.y
mul o4.xyz, v4.zyx, c252.z
add o5.xyz, v5.wxy, c254
mul o6.xyz, v1.zxy, c255.x
mul o8.xyz, v3.wyx, c255.z
add o9.xyz, v6.wzx, c254
add o10.xyz, v4.ywx, c254
