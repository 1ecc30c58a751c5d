vs_2_0
dcl_position v0
dcl_texcoord v1
dcl_normal v2
dcl_color v3
def c255, 0, 1, 0, 0
m4x4 oPos, v0, c0
mov oT0.xy, v1
mov oT2.xyz, v3
mul oT1, v2.xyzx, c255.yyyx
