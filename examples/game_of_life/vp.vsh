vs_1_1
// board quad; the coordinates are made from the position: c0.xy scales, c0.zw moves
dcl_position v0
mov r0, c0
mad r1.xy, v0, r0, r0.zwzw
mov oT0.xy, r1
mov oPos, v0
