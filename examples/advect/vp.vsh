vs_1_1
// advection of fluid quantities: grid quad, t0 in [0,1]
dcl_position v0
dcl_texcoord v1
mov oPos, v0
mov oT0.xy, v1
