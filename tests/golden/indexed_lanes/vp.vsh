vs_2_0
// two bones: each lane of a0 leads to the matrix of one
def c4, 765.01, 1, 0, 0
dcl_position v0
dcl_blendindices v1
dcl_blendweight v2
dcl_texcoord v3
mul r0, v1, c4.x
mova a0, r0
mul r1, v2.x, c9[a0.x]
mad r1, v2.w, c9[a0.w], r1
dp4 r2.x, v0, r1
mul r1, v2.x, c10[a0.x]
mad r1, v2.w, c10[a0.w], r1
dp4 r2.yzw, v0, r1
m4x4 oPos, r2, c0
mov oT0.xy, v3
