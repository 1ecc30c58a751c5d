vs_1_1
dcl_position v0
dcl_texcoord v1
dcl_color v2
mov oPos, v0
mov oT0.xy, v1
mov r0, c3
add r1, v2, c0
mad oT1, r1, c1.x, r0
add oT2, c2, -r0
