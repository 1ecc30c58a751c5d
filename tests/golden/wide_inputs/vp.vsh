vs_3_0
dcl_position v0
dcl_texcoord v1
dcl_color v2
dcl_position o0
dcl_texcoord3 o4.xy
dcl_normal o4.zw
dcl_color o1.x
dcl_color1 o1.yzw
dcl_texcoord6 o5.xyz
dcl_texcoord7 o5.w
mov o0, v0
mov o4, v1
mov o1, v2
mov r0, v1
add o5, r0, v2
