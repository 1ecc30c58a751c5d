vs_1_1
dcl_position v0
dcl_texcoord v1
mov oPos, v0
rcp r0.w, c0.x
rcp r0.z, c0.y
add r0.xy, r0.wz, r0.wz
add oT0.xy, v1, r0
mov oT0.zw, -r0
