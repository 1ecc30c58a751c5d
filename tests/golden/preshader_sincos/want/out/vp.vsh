vs_1_1
dcl_position v0
dcl_texcoord v1
mov oPos, v0
mul r0.xy, v1.x, c0
mad oT0.xy, v1.y, c0.yz, r0
