vs_1_1
dcl_position v0
dcl_texcoord v1
def c95, 1, -1, 0, 0
m4x4 oPos, v0, c0
mov oT0.xy, v1
mul r0.xy, v1, c4
mul oT0.zw, r0.xxxy, c95.xxxy
mov oT1.xy, r0
