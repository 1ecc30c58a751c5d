vs_1_1
def c8, 0.5, 0, 0, 1
dcl_position v0
dcl_texcoord v1
m4x4 oPos, v0, c0
mov oT0, v1
mov oT1, c8
