vs_1_1
dcl_position v0
dcl_texcoord v1
def c95, 0, 0.01, -0.0005, 0
mov oPos, v0
add oT0, v1, c95.xyzx
add oT1, v1, c95.yyzx
add oT2, v1, c95.yxzx
add oT3, v1, c95.xxzx
