vs_1_1
// ambient (c5) and Lambert (c6, light direction c4 in object space) light for each vertex; c0-c3 world-view-projection
dcl_position v0
dcl_normal v1
def c7, 0, 0, 0, 0
m4x4 oPos, v0, c0
dp3 r0.x, v1, c4
max r0.x, r0.x, c7.x
mov r1, c5
mad oD0, r0.x, c6, r1
