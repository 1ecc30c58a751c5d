vs_1_1
// the moved c2 is dead, and the literals of the position come to stand where it was: nothing is left to set
dcl_position v0
def c11, 1.922, -1, -1, 2
mov oPos.xyz, v0
mov oPos.w, c11
