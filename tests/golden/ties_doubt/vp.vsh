vs_1_1
dcl_position v0
dcl_tangent1 v1
def c3, -2.7332, 2, -0.5, 0.25
mov oPos, v0
mov oT0.x, v1
lit oT1.xyz, c3
