vs_3_0
; as many interpolators as there are
dcl_position v0
dcl_texcoord v1
dcl_normal v2
dcl_color v3
dcl_position o11
dcl_texcoord o0.xyz
dcl_texcoord1 o1.xy
dcl_texcoord2 o2.xyz
dcl_texcoord3 o3.x
dcl_texcoord4 o4.xyz
dcl_texcoord5 o5.xy
dcl_texcoord6 o6
dcl_texcoord7 o7.xy
dcl_tangent o8.xyz
dcl_binormal o9.x
mov o11, v0
mov r0, v1
mov r1, v2
mov o0.xyz, v1
mov o1.xy, v2
mov o2.xyz, v3
mul o3.x, r0.x, v2.x
mad o4.xyz, v1, c8, r1
mov o5.xy, v1.wzyx
add o6, r1, v3
mov o7.xy, v3.zwxy
mul o8.xyz, v2, c9
add o9.x, r0.y, v3.w
