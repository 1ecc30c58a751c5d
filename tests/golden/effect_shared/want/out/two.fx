vertexshader vsh[2] = { asm {
	vs_1_1
	dcl_position v0
	dcl_texcoord v1
	def c95, 0.5, 0, 0, 0
	mov oPos, v0
	mul oT0.xy, v1, c95.x
}, asm {
	vs_1_1
	dcl_position v0
	def c95, 0.5, 0, 0, 0
	mov oPos, v0
	mul oT0.xy, v0, c95.x
} };
pixelshader psh = asm { ps_2_0
 dcl t0.xy
 dcl_2d s0
 texld r0, t0, s0
 mov oC0, r0
};
int idx = 1;
technique t { pass p { vertexshader = vsh[0]; pixelshader = psh; } pass q { VertexShader = (vsh[1]); PIXELSHADER = <psh>; } }
