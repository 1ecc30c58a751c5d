vs_1_1
; glyph quads in pixels: c0 = 2 / width, -2 / height, -1, 1 turns them into clip space
dcl_position v0
dcl_color v1
dcl_texcoord v2
def c1, 0, 1, 0, 0
mov r0.xy, v0
mov r1, c0
mad oPos.xy, r0, r1, r1.zwzw
mov oPos.zw, c1.xxxy
mov oD0, v1
mov oT0.xy, v2
