vs_3_0
dcl_position v0
dcl_texcoord v1
dcl_position o0
dcl_texcoord o1.xy
dcl_2d s2
m4x4 o0, v0, c0
mov r0, v1.xyyy
texldl r1.xy, r0, s2.yx
add o1.xy, v1, r1
