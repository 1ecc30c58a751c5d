vs_1_1
// glass: Fresnel term per vertex, reflection and refraction rays for the cube map
// c0-c3 world-view-projection, c4 eye in object space, c5 = r0, 1 - r0, 0, ratio of the indices
dcl_position v0
dcl_normal v1
def c6, 1.0, 2.0, 0.0, 0.0
m4x4 oPos, v0, c0
sub r0.xyz, c4, v0
dp3 r0.w, r0, r0
rsq r0.w, r0.w
mul r0.xyz, r0, r0.w
dp3 r1.x, r0, v1
add r1.y, r1.x, r1.x
mad oT0.xyz, r1.y, v1, -r0
mov r2, c5
mad oT1.xyz, -r0, r2.w, -v1
sub r1.z, c6.x, r1.x
mul r1.w, r1.z, r1.z
mul r1.w, r1.w, r1.w
mul r1.w, r1.w, r1.z
mad oD0, r1.w, r2.y, r2.x
