vs_1_1
// A compiler's texture coordinates: the same one twice, turned, as numbers only, and scaled for a detail map
dcl_position v0
dcl_texcoord v1
def c9, 0, 1, 8, 0.5
m4x4 oPos, v0, c0
mov oT2.xy, v1
mov oT0.xy, v1.yx
mul oT3.xy, v1, c9.z
add oT1.xy, v1, c4
