vs_3_0
dcl_position v0
dcl_texcoord v1
dcl_color v2
dcl_position o0
dcl_color o1.x
dcl_color1 o1.yzw
def c255, 4, 0.25, 0, 2
dcl_texcoord o2.xyz
dcl_texcoord1 o3
mov o0, v0
mov o1.yzw, v2
mov r0.xyw, v1
add o2.xyz, r0.xyw, v2.xyw
mad o3, v1.zwxy, c255.xxy, c255.zzw
