vs_1_1
// what the FP takes away, and a constant in 256ths, written so that a mov would be saved
// fpmove: c15 stays the application's
def c90, 49152, -49152, 0, 0
dcl_position v0
dcl_texcoord v1
dcl_texcoord1 v2
mov oPos, v0
add oT0, v1, c90.x
mov r1, c4
add r0, r1, c90.x
add oT1, r0, c90.y
mov r3, c12
mul r3, r3, c13
mul oT2, r3, v2
