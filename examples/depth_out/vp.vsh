vs_1_1
// impostor quads: depth before division in t1
dcl_position v0
dcl_texcoord v1
m4x4 r0, v0, c0
mov oPos, r0
mov oT0.xy, v1
mov oT1.xy, r0.zw
