vs_2_0
dcl_position v0
dcl_texcoord v1
mov oPos, v0
abs r0.xy, v1
lrp oT0.xy, c0.x, r0, c0.y
