vs_1_1
// the moved c2 is dead, and the literals of the position, which may be computed anew, come to stand where it was: nothing is left to set
dcl_position v0
def c11, 1.922, -1, -1, 2
mov r2.xy, v0
mov r2.z, v0
mov r2.w, c11
mov oPos, r2
