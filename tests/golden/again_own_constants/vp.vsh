vs_1_1
dcl_position v0
dcl_texcoord1 v1
dcl_normal2 v2
dcl_normal3 v3
dcl_texcoord4 v4
dcl_blendweight5 v5
dcl_color6 v6
dcl_color7 v7
def c6, 3.1415927, 1.5404, 2, 0.3144
mov oPos, v0
mov a0.x, v2.x
exp oT0.xy, c[a0.x + 6].y
mov oT1.xy, v2
mov oFog.x, v0.w
