vs_1_1
// ambient light: the same colour wherever the surface faces
// c0..c3 world-view-projection; c4 light, c5 material
dcl_position v0
m4x4 oPos, v0, c0
mov r0, c4
mul oD0, r0, c5
