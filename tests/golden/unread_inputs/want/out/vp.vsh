vs_3_0
// fpmove: c255 = ps c0
dcl_position v0
dcl_texcoord v1
dcl_color v2
dcl_position o0
dcl_color o3
dcl_texcoord3 o1
mov o0, v0
mov o1.x, v1.w
add o1.yzw, v1.xxyx, c255.xxyz
