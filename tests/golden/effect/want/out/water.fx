// An effect file: two passes to move, one to leave, a shared program.
texture Tex < string name = "a { b.dds"; >;
/* asm { not this } */
PixelShader shared_ps = asm
{
	ps_2_0
	dcl t0.xy
	dcl_2d s0
	texld r0, t0, s0
	mov oC0, r0
};

technique Blur
{
	pass P0
	{
		AlphaBlendEnable = False;
		VertexShader = asm {
			vs_1_1           // } in a comment
			// fpmove: c0 = ps c0
			dcl_position v0
			dcl_texcoord v1
			mov oPos, v0
			mov oT0.xy, v1
			add oT1.xy, v1, c0 ; half a texel
		};
		PixelShader = asm {
			ps_2_0
			dcl t1.xy
			dcl_2d s0
			texld r0, t1, s0
			mov oC0, r0
		};
	}
	pass
	{
		VertexShader = asm { vs.1.1
			dcl_position v0
			dcl_texcoord v1
			mov oPos, v0
			mov oT0.xy, v1
		};
		PixelShader = <other_ps>;
	}
	pass P2 { VertexShader = asm { vs_1_1
dcl_position v0
mov oPos, v0 }; PixelShader = asm { ps_1_1
mov r0, c0 }; }
	pass P3 { VertexShader = asm { vs_1_1
dcl_position v0
dcl_texcoord v1
mov oPos, v0
mov oT0.xy, v1 }; PixelShader = (shared_ps); }
	pass P4 { VertexShader = asm { vs_1_1
dcl_position v0
dcl_texcoord v1
mov oPos, v0
mov oT0.xy, v1 }; PixelShader = (shared_ps); }
}
