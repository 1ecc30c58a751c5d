vs_3_0
dcl_position v0
dcl_texcoord v1
dcl_color v2
dcl_position o0
dcl_color o2.xy
dcl_color1 o2.zw
def c255, 2, 0, 0, 0
dcl_texcoord1 o1.xy
mov o0, v0
mul o2, v2, c4
mul o1.xy, v1, c255.x
