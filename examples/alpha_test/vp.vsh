vs_1_1
; leaves: swayed by the wind, c4 = phases, c5 = strength
dcl_position v0
dcl_texcoord v1
dcl_color v2
mov r0, v0
mul r1, v2.x, c4
mad r0.xyz, r1, c5, r0
dp4 oPos.x, r0, c0
dp4 oPos.y, r0, c1
dp4 oPos.z, r0, c2
dp4 oPos.w, r0, c3
mov oT0.xy, v1
mov oD0, v2
