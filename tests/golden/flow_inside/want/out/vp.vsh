vs_3_0
// fpmove: c253 = ps c2
// fpmove: c254 = ps c0
// fpmove: c255 = ps c3
dcl_position v0
dcl_texcoord v1
dcl_texcoord1 v2
dcl_position o0
dcl_texcoord o1
dcl_texcoord1 o2
dcl_texcoord2 o3
mov o0, v0
add o3, v1, c255
mul r0.xy, v1, c254
mad o1.xy, v2, c253, r0
mov o1.z, v2.x
mov o2, v2
