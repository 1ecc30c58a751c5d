vs_3_0
dcl_position v0
dcl_texcoord v1
dcl_normal v2
dcl_position0 o0
dcl_texcoord0 o1.x
dcl_texcoord1 o1.y
dcl_texcoord2 o1.z
dcl_texcoord3 o1.w
dcl_texcoord4 o2.x
dcl_texcoord5 o2.y
dcl_texcoord6 o2.z
dcl_texcoord7 o2.w
dcl_texcoord8 o3.x
dcl_texcoord9 o3.y
dcl_texcoord10 o3.z
dcl_texcoord11 o3.w
dcl_texcoord12 o4.x
dcl_texcoord13 o4.y
dcl_texcoord14 o4.z
dcl_texcoord15 o4.w
m4x4 o0, v0, c0
mov o1, v1
mov o2,v2
mov o3,v1.wzyx
mov o4,v2.wzyx
