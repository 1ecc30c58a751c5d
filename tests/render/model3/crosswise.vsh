vs_3_0
; usages link, not numbers: the pixel program has its inputs in another order
dcl_position v0
dcl_normal v1
dcl_texcoord v2
dcl_texcoord3 o0
dcl_texcoord o1.xy
dcl_position o2
dcl_normal o3.xyz
dcl_texcoord1 o4
m4x4 o2, v0, c4
mov o1.xy, v2
mul o0, v2.wzyx, c8
mov o3.xyz, v1
mov r0.x, v1.x
mad o4, v2, c9, r0.x
