vs_3_0
dcl_position v0
dcl_texcoord v1
dcl_color v2
dcl_position o0
dcl_color o1.x
dcl_color1 o1.yzw
def c255, 4, 0.25, 2, 0
dcl_texcoord o2
dcl_texcoord1 o3.xyz
mov o0, v0
mov o1.yzw, v2
mov r0.xyw, v1
add r0.xyw, r0, v2
mov o2.xy, r0
mul o2.zw, v1, c255.x
mad o3.xy, v1, c255.y, c255.z
mov o3.z, r0.w
