; nothing of this program feeds position5
vs_3_0
dcl_position v0
dcl_texcoord v1
dcl_position o0
dcl_color4 o1.zw
mov o0, v0
mov o1.zw, v1
