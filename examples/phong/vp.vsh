vs_1_1
// per-pixel Phong: world-space normal (t0), light vector (t1) and eye vector (t2)
// c0-c3 view-projection, c4-c6 world rows, c7 light, c8 eye
dcl_position0 v0
dcl_normal0 v1
def c9, 1, 0, 0, 0
m4x3 r0.xyz, v0, c4
mov r0.w, c9.x
m4x4 oPos, r0, c0
m3x3 oT0.xyz, v1, c4
add oT1.xyz, -r0, c7
add oT2.xyz, -r0, c8
