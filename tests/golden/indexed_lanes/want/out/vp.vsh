vs_2_0
// two bones: each lane of a0 leads to the matrix of one
def c4, 765.01, 1, 0, 0
dcl_position v0
dcl_blendindices v1
dcl_blendweight v2
dcl_texcoord v3
def c95, 0.5, 0.25, 0, 0
mul r0.xw, v1, c4.x
mova a0.xw, r0
mul r1, v2.x, c[a0.x + 9]
mad r1, v2.w, c[a0.w + 9], r1
dp4 r2.x, v0, r1
mul r1, v2.x, c[a0.x + 10]
mad r1, v2.w, c[a0.w + 10], r1
dp4 r2.yzw, v0, r1
m4x4 oPos, r2, c0
mad oT0.xy, v3, c95.x, c95.y
