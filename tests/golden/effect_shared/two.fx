vertexshader vsh[2] = { asm { vs_1_1 dcl_position v0 dcl_texcoord v1 mov oPos, v0 mov oT0, v1 }, asm { vs_1_1 dcl_position v0 mov oPos, v0 mov oT0, v0 } };
pixelshader psh = asm { ps_2_0
 dcl t0.xy
 dcl_2d s0
 def c0, .5,.5,0,0
 mul r0.xy, t0, c0
 texld r0, r0, s0
 mov oC0, r0 };
int idx = 1;
technique t { pass p { vertexshader = vsh[0]; pixelshader = psh; } pass q { VertexShader = (vsh[1]); PIXELSHADER = <psh>; } }
