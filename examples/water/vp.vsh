vs_1_1
// water plane: c0-c3 world-view-projection, c4-c6 world rows, c7 eye; t0 ripple coordinates, t1 clip position, t2 to the eye
dcl_position v0
dcl_texcoord v1
def c20, 0.5, -0.5, 0.0, 1.0
m4x4 r0, v0, c0
mov oPos, r0
mul r1.xyw, r0, c20.xyzx
mad oT1.x, r0.w, c20.x, r1.x
mad oT1.y, r0.w, c20.x, r1.y
mov oT1.z, r0.z
mov oT1.w, r0.w
dp4 r2.x, v0, c4
dp4 r2.y, v0, c5
dp4 r2.z, v0, c6
sub oT2.xyz, c7, r2
mov oT0.xy, v1
