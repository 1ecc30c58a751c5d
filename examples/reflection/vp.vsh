vs_1_1
// mirror: c0-c3 world-view-projection; t0 surface coordinates, t1 clip position
dcl_position v0
dcl_texcoord v1
m4x4 r0, v0, c0
mov oPos, r0
mov oT0.xy, v1
mov oT1, r0
