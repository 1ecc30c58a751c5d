vs_3_0
// fpmove: c254 = ps c0
// fpmove: c255 = ps c2
dcl_position v0
dcl_texcoord v1
dcl_position o0
dcl_texcoord o1
def c253, 0.5, 0, 0, 0
dcl_texcoord1 o2
dcl_texcoord2 o3
mov o0, v0
mov o1, v1
mov o2, c255
mov r0, c253.x
mad o3, v1, c254, r0
