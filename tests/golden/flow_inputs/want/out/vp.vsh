vs_3_0
dcl_position v0
dcl_texcoord v1
dcl_normal v2
dcl_position o0
dcl_texcoord o1
dcl_texcoord1 o2.xyz
dcl_texcoord2 o3.xyz
dcl_texcoord5 o4
def c255, 0.5, 2, 2.5, 0
def c254, 1, 2, 0, 0
dcl_texcoord3 o5
mov o0, v0
mul r0.xyz, v1, c0
mul o2.xyz, v1, c1
mul o3.xyz, v2, c2
mul r1, v2.xyxw, c255.xxyz
mad o5, v2.yz, c255.yyxw, r1
mul o1, r0.xyzx, c254.xxxy
mul o4.xyz, v2, c255.y
