vs_1_1
// sky dome around the eye: c0-c3 world-view-projection; direction in t0, cloud coordinates in t1
dcl_position v0
dcl_texcoord v1
m4x4 r0, v0, c0
mov oPos.xyw, r0
mov oPos.z, r0.w
mov oT0.xyz, v0
mad oT1.xy, v1, c4, c4.zwzw
