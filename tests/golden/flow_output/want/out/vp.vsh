vs_3_0
// fpmove: c253 = ps c0
// fpmove: c254 = ps c3
// fpmove: c255 = ps c2
dcl_position v0
dcl_texcoord v1
dcl_position o0
dcl_texcoord o1
dcl_texcoord1 o2
dp4 o0.x, v0, c0
dp4 o0.y, v0, c1
dp4 o0.z, v0, c2
dp4 o0.w, v0, c3
mul r0, v1.zwzw, c255
add o2, r0, c254
mul o1.xy, v1, c253
