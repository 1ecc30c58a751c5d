/* Programs in the string literals of a C file. */
#include <d3dx9.h>

static const char blur_vs[] =
	"vs_1_1\n"
	"dcl_position v0\n"
	"dcl_texcoord v1\n"
	"mov oPos, v0\n"
	"mov oT0.xy, v1 ; as given\n";

static const char blur_ps[] =
	"ps_2_0\n"
	"def c0, 0.5, 0, 0, 0\n"
	"dcl t0.xy\n"
	"dcl_2d s0\n"
	"add r0.xy, t0, c0.x\n"
	"texld r0, r0, s0\n"
	"mov oC0, r0\n";

const char *profile(void)
{
	return "ps_2_0";
}
