// Macros, an included file, conditions and named programs in one effect file.
#include "inc/regs.h"
#define TEXEL c0.x ; it's half a texel

texture Source;
VertexShader Quad[1] = {
	asm {
		vs_1_1
		dcl_position POSITION
		dcl_texcoord UV ; don't
		mov oPos, POSITION
		mov oT0.xy, UV
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
			def c0, 0.5, 0, 0, 0
			dcl t0.xy
			dcl_2d s0
			add r0.xy, t0, TEXEL
			texld r0, r0, s0
			mov oC0, r0
		};
	}
#else
	pass P0 { PixelShader = asm { ps_1_1 mov r0, c0 }; }
#endif
}
