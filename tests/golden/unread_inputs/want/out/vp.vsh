vs_3_0
// fpmove: c255 = ps c0
dcl_position v0
dcl_texcoord v1
dcl_color v2
dcl_position o0
dcl_color o3
dcl_texcoord3 o1
mov o0, v0
mov o1.w, v1
add o1.xyz, v1.xyx, c255
