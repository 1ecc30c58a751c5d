vs_2_0
dcl_position v0
dcl_texcoord v1
dcl_color v2
mov oPos, v0
mov oT0.xy, v1
mov oT1.w, v1
mov oT2.xy, v1
mov oD1.xyz, v2
