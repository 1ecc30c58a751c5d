#define POSITION v0
#define BASE_UV v1
#define LIGHT_UV v2
#define MATRIX c0
#define LIGHT_AREA c4
vs_1_1
// world geometry with a lightmap page: the area c4 (scale xy, offset zw) of the page belongs to this mesh
dcl_position POSITION
dcl_texcoord0 BASE_UV
dcl_texcoord1 LIGHT_UV
m4x4 oPos, POSITION, MATRIX
mov oT0.xy, BASE_UV
mov r0, LIGHT_AREA
mad oT1.xy, LIGHT_UV, r0, r0.zwzw
