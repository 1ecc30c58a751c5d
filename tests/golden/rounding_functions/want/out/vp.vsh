vs_1_1
dcl_position v0
dcl_texcoord v1
mov oT0, v1
mov oPos, v0
