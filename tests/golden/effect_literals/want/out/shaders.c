/* Programs in the string literals of a C file. */
#include <d3dx9.h>

static const char blur_vs[] =
	"vs_1_1\n"
	"dcl_position v0\n"
	"dcl_texcoord v1\n"
	"def c0, 0.5, 0, 0, 0\n"
	"mov oPos, v0\n"
	"mov oT0.xy, v1 ; as given\n"
	"add oT1.xy, v1, c0.x\n";

static const char blur_ps[] =
	"ps_2_0\n"
	"dcl t1.xy\n"
	"dcl_2d s0\n"
	"texld r0, t1, s0\n"
	"mov oC0, r0\n";

const char *profile(void)
{
	return "ps_2_0";
}
