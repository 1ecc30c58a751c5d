vs_1_1
// fpmove: c95 = ps c0
dcl_position v0
dcl_texcoord v1
def c94, 0.5, 0.25, 0, 1
dp4 oPos.x, v0, c0
dp4 oPos.y, v0, c1
dp4 oPos.z, v0, c2
dp4 oPos.w, v0, c3
dp4 oT0.x, v1, c4 // the texture's matrix, row by row
dp4 r3.x, v1, c4
dp4 oT0.y, v1, c5
dp4 r3.y, v1, c5
mov oT1.xy, v1
add oT2.xy, r3, c95
sub oT3.xy, r3, c95
add oT4.xy, c94, v1
