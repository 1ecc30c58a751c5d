vs_1_1
dcl_position v0
dcl_texcoord v1
def c95, 2, 0, 0, 0
mov oPos, v0
mov oT0.xy, v1
mul oT1.xy, v1, c95.x
