vs_3_0
; its pixel program has vPos and vFace, which no vertex program knows
dcl_position v0
dcl_texcoord v1
dcl_normal v2
dcl_position o0
dcl_texcoord2 o1
dcl_texcoord o6.xyz
mov o0, v0
mov o1, v1
mov o6.xyz, v2
