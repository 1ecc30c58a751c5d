vs_1_1
; position through the world-view-projection matrix, texture coordinate as given
dcl_position v0
dcl_texcoord v1
m4x4 oPos, v0, c0
mov oT0.xy, v1
mad oT1.xy, v1, c95.z, c95
