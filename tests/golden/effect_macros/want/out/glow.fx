// Macros, an included file, conditions and named programs in one effect file.
#include "inc/regs.h"
#define TEXEL c0.x ; it's half a texel

texture Source;
VertexShader Quad[1] = {
	asm {
		vs_1_1
		dcl_position v0
		dcl_texcoord v1 ; don't
		def c0, 0.5, 0, 0, 0
		mov oPos, v0
		mov oT0.xy, v1
		add oT1.xy, v1, c0.x
	}
};

technique Glow
{
#ifdef GLOW
	pass P0
	{
		VertexShader = (Quad[0]);
		PixelShader = asm {
			ps_2_0
			dcl t1.xy
			dcl_2d s0
			texld r0, t1, s0
			mov oC0, r0
		};
	}
#else
	pass P0 { PixelShader = asm { ps_1_1 mov r0, c0 }; }
#endif
}
