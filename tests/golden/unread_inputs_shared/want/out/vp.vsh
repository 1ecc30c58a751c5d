vs_3_0
// fpmove: c254 = ps c0
// fpmove: c255 = ps c0
dcl_position v0
dcl_texcoord v1
dcl_color v2
dcl_position o0
dcl_texcoord o1.xyz
dcl_color o3
dcl_texcoord3 o2
mov o0, v0
mov o2.w, v1
add o2.xyz, v1.xyx, c255
add o1.xyz, v1.yxy, c254
