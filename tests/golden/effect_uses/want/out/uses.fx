// Programs whose variables are used in more ways than one, and one with conditions in its text.
vertexshader va = asm { vs_1_1
	dcl_position v0
	dcl_texcoord v1
	mov oPos, v0
	mov oT0, v1 };
pixelshader pa = asm { ps_2_0
	def c0, .5, .5, 0, 0
	dcl t0.xy
	dcl_2d s0
	mul r0.xy, t0, c0
	texld r0, r0, s0
	mov oC0, r0 };
vertexshader vb = <va>;
pixelshader pb = asm { ps_2_0
	def c0, .5, .5, 0, 0
	dcl t0.xy
	dcl_2d s0
#ifdef HALF
	mul r0.xy, t0, c0
#else
	add r0.xy, t0, c0
#endif
	texld r0, r0, s0
	mov oC0, r0 };
vertexshader vc = asm { vs_1_1
	dcl_position v0
	dcl_texcoord v1
	def c95, 0.5, 0, 0, 0
	mov oPos, v0
	mul oT0.xy, v1, c95.x
};
pixelshader pc = asm { ps_2_0
	dcl t0.xy
	dcl_2d s0
	texld r0, t0, s0
	mov oC0, r0
};
technique T
{
	pass A { VertexShader = (va); PixelShader = (pa); }
	pass B { VertexShader = asm { vs_1_1
	dcl_position v0
	dcl_texcoord v1
	mov oPos, v0
	mov oT0, v1 }; PixelShader = (pb); }
	pass C { VertexShader = (x ? <va> : NULL); PixelShader = asm { ps_2_0 mov oC0, c0 }; }
	pass D { VertexShader = <vc>; PixelShader = (pc); }
}
