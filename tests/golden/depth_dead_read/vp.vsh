vs_1_1
dcl_position v0
dcl_tangent4 v4
mov oPos, v0
mov oT0.xyz, v4
