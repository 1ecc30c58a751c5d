vs_3_0
; each of the 14 usages goes in, and ten interpolated registers come out
dcl_position v0
dcl_blendweight v1
dcl_blendindices v2
dcl_normal v3
dcl_psize v4
dcl_texcoord15 v5
dcl_tangent v6
dcl_binormal v7
dcl_tessfactor v8
dcl_positiont v9
dcl_color v10
dcl_fog v11
dcl_depth v12
dcl_sample v13
dcl_texcoord o0.xyz
dcl_blendweight3 o1
dcl_blendindices o2.x
dcl_normal15 o3
dcl_psize1 o4
dcl_tangent o5.xyz
dcl_position o6
dcl_binormal2 o7
dcl_tessfactor o8.yw
dcl_positiont o9.x
dcl_depth o9.z
dcl_sample o9.yw
dcl_color3 o10
mov o0.xyz, v5
mov o1, v1
mov o2.x, v2
mov o3, v3
mov o4, v4
mov o5.xyz, v6
mov o6, v0
mov o7, v7
mov o8.yw, v8
add o9.x, v9, v9.y
mov o9.yzw, v12
add o10, v10, v10_abs
mul r0, v11.x, c0
mad o10.w, v13.x, c1.x, r0.y
