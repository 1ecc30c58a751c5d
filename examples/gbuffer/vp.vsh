vs_1_1
// geometry pass: c0-c3 world-view-projection, c4-c6 world-view rows
dcl_position v0
dcl_normal v1
dcl_texcoord v2
dp4 oPos.x, v0, c0
dp4 oPos.y, v0, c1
dp4 oPos.z, v0, c2
dp4 oPos.w, v0, c3
mov oT0.xy, v2
dp3 oT1.x, v1, c4
dp3 oT1.y, v1, c5
dp3 oT1.z, v1, c6
dp4 oT1.w, v0, c6
