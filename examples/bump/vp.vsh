// dot-3 bump mapping: light vector into tangent space
vs_1_1
def c6, 1.0, 0.5, 0.0, 0.0
dcl_position0 v0
dcl_normal0 v1
dcl_texcoord0 v2
dcl_tangent0 v3
// clip position, c0-c3
dp4 oPos.x, v0, c0
dp4 oPos.y, v0, c1
dp4 oPos.z, v0, c2
dp4 oPos.w, v0, c3
// binormal = normal x tangent, times the handedness in v3.w
mov r3, v3
mul r0.xyz, v1.yzxw, r3.zxyw
mad r0.xyz, -v1.zxyw, r3.yzxw, r0
mul r0.xyz, r0, r3.w
// light direction (c4, object space, unit length) in tangent space, packed into a colour
dp3 r1.x, r3, c4
dp3 r1.y, r0, c4
dp3 r1.z, v1, c4
mov r2.xy, c6
mad oD0.xyz, r1, r2.y, r2.y
mov oD0.w, r2.x
mov oT0.xy, v2
mov oT1.xy, v2
