vs_2_0
// fpmove: c255 = ps c0
dcl_position v0
dcl_normal v1
dcl_texcoord v2
def c254, 0, -0.0005, 0, 0
m4x4 oPos, v0, c0
m4x4 r0, v0, c4
mov oT2.xyz, v1
mad oT0.xy, v2, c255, c255.wz
add oT1, r0, c254.xxyx
