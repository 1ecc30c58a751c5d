vs_1_1
dcl_position v0
dcl_texcoord v1
def c1, -1, 0, 0, 0
mov oPos, v0
rcp r0.x, c0.x
rcp r0.y, c0.y
add oT0.xy, v1, r0
mul oT0.zw, v1.yyyx, c1.x
