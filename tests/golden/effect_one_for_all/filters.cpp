// One vertex program for all filters.
namespace {
const char quad[] = "vs_1_1\n"
                    "dcl_position v0\n"
                    "dcl_texcoord v1\n"
                    "mov oPos, v0\n"
                    "mov oT0, v1\n";
const char *filters[2] = {R"(ps_2_0
	def c0, 0.5, 0.25, 0, 0
	dcl t0.xy
	dcl_2d s0
	add r0.xy, t0, c0
	texld r0, r0, s0
	mov oC0, r0)",
                          R"(ps_2_0
	def c0, 2, 2, 0, 0
	dcl t0.xy
	dcl_2d s0
	mul r0.xy, t0, c0
	texld r0, r0, s0
	mov oC0, r0)"};
}
