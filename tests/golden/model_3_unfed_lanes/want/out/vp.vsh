; nothing of this program feeds position5
vs_3_0
// fpmove: c255 = ps c0
dcl_position v0
dcl_texcoord v1
dcl_position o0
dcl_color4 o1.zw
dcl_texcoord o2.xy
mov o0, v0
mov o1.z, v1
add o2.xy, v1.zw, c255
