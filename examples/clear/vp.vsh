vs_1_1
// clear: position only
dcl_position v0
mov oPos, v0
