// A program for each model, as engines keep them: the one for model 1 and those for models 2 and 3.
#include "Blur.h"

static const char *const s_vertexPrograms[] = {
	"vs_1_1\n"
	"dcl_position v0\n"
	"dcl_texcoord v1\n"
	"mov oPos, v0\n"
	"mov oT0, v1\n",

	"vs_2_0\n"
	"dcl_position v0\n"
	"dcl_texcoord v1\n"
	"def c255, 0.5, 0.25, 0, 0\n"
	"mov oPos, v0\n"
	"add oT0.xy, v1, c255\n",

	"vs_3_0\n"
	"dcl_position v0\n"
	"dcl_texcoord v1\n"
	"dcl_position o0\n"
	"def c255, 0.5, 0.25, 0, 0\n"
	"dcl_texcoord1 o1.xy\n"
	"mov o0, v0\n"
	"add o1.xy, v1, c255\n"
};

static const char *const s_pixelPrograms[] = {
	"ps_1_1\n"
	"tex t0\n"
	"mov r0, t0\n",

	"ps_2_0\n"
	"dcl t0.xy\n"
	"dcl_2d s0\n"
	"texld r0, t0, s0\n"
	"mov oC0, r0\n",

	"ps_3_0\n"
	"dcl_2d s0\n"
	"dcl_texcoord1 v0.xy\n"
	"texld r0, v0, s0\n"
	"mov oC0, r0\n"
};

void Blur::load(Device &device, int model)
{
	m_vertex = device.assemble(s_vertexPrograms[model]);
	m_pixel = device.assemble(s_pixelPrograms[model]);
}
