vs_2_0
dcl_position v0
dcl_texcoord0 v1
dcl_texcoord1 v2
dcl_texcoord2 v3
dcl_texcoord3 v4
dcl_texcoord4 v5
dcl_texcoord5 v6
mov oPos, v0
mov oT0, v1
mov oT1, v2
mov oT2, v3
mov oT3, v4
mov oT4, v5
mov oT5, v6
