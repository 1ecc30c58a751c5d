vs_3_0
dcl_position v0
dcl_texcoord v1
dcl_normal v2
dcl_position o0
dcl_texcoord7 o4
dcl_texcoord o2.xyz
mov o0, v0
add o4, v1_abs, -c8_abs
mul_sat o2.xyz, v2_abs.zxyw, c9
