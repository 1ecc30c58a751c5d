vs_3_0
; constants by two lanes of a0, and lanes that do not begin with .x; Wine does not draw two usages in a register
dcl_position v0
dcl_texcoord v1
dcl_texcoord1 v2
dcl_blendindices v3
def c30, 0.4, 1.55, 2.55, 0
dcl_position o0
dcl_texcoord o3.xy
dcl_texcoord1 o6.xy
dcl_texcoord5 o8.yzw
frc r0.xy, v3
mad r0.xy, r0, c30.x, c30.yzzz
mova a0.xw, r0.yyyx
mov r1, c[a0.x + 10]
mad r1, v1, c[a0.w + 13], r1
mov o0, v0
mov o3.xy, v1
mov o6.xy, v2
mov o8.yzw, r1
