vs_1_1
// dst reads nothing of r6 for its w: what fills the lanes beside it must be something else
// fpmove: c3 stays the application's
dcl_position v0
mov oPos, v0
dst oT0.w, r6, v0
mov oT0.xyz, v0.w
