vs_1_1
// A compiler's texture coordinates: the same one twice, turned, as numbers only, and scaled for a detail map
dcl_position v0
dcl_texcoord v1
m4x4 oPos, v0, c0
add oT1.xy, v1, c4
mov oT0.xyz, v1.xyx
