vs_1_1
dcl_position v0
dcl_texcoord v1
def c1, 4194304, -8388608, 0.25, 1
mov oPos, v0
mov oT0, v1
add r2, v1.x, c1.w
sub oT1, r2, c1.w
