vs_1_1
// particles: position moved along its velocity by the age c5.x, fog by depth (c6: scale, bias), size by distance (c7.x over w, at least c7.y)
dcl_position v0
dcl_normal v1
dcl_psize v2
dcl_color v3
mov r0, v0
mov r1.xyz, v1
mad r0.xyz, r1, c5.x, r0
m4x4 r2, r0, c0
mov oPos, r2
mov r3.xy, c6
mad oFog.x, r2.z, r3.x, r3.y
rcp r2.w, r2.w
mul r2.w, r2.w, v2.x
mul r2.w, r2.w, c7.x
max oPts.x, r2.w, c7.y
mov oD0, v3
mov oT0.x, v2.x
