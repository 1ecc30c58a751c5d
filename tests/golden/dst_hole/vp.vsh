vs_1_1
// dst reads nothing of r6 for its w: what fills the lanes beside it must be something else
dcl_position v0
mov oPos, v0
mov oT0.x, c3
mov oT1.x, v0
mov r6.z, v0.y
dst oT2.xzw, r6, v0
mov oT2.y, v0
