vs_1_1
// the moved c2 is dead, and the literals of the position, which may be computed anew, come to stand where it was: nothing is left to set
dcl_position v0
def c95, 1, 0, 2, 0
mad oPos, v0.xyz, c95.xxxy, c95.yyyz
