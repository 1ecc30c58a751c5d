vs_1_1
dcl_position v0
dcl_texcoord v1
def c95, 16, 1, 0, 0
mov oPos, v0
mul oT0.xyz, v1.xyx, c95.xxy
