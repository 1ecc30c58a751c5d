; A sum that rounds on purpose: no constant beside it is left to the application, whose double would round otherwise.
vs_1_1
dcl_position v0
dcl_texcoord v1
mov oPos, v0
mov oT0, v1
