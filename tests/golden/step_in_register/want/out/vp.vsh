vs_1_1
// fpmove: c95 = ps c0
dcl_position v0
dcl_texcoord v1
def c94, 2, 0, 0, 0
mov oPos, v0
rcp r0.x, c95.x
rcp r0.y, c95.y
mad oT0.xy, r0, c94.x, v1
mov oT0.zw, -r0.yyyx
