vs_1_1
dcl_position v0
dcl_texcoord v1
mov oPos, v0
mul r0.xy, v1.x, c95
mad oT0.xy, v1.y, c95.yz, r0
