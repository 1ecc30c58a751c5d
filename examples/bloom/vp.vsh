vs_1_1
// screen quad, coordinate flipped to the picture's
def c0, 1.0, 0.5, -0.5, 0.0
dcl_position v0
mov oPos, v0
mov r0, c0
mad oT0.xy, v0, r0.yz, r0.y
