// One vertex program for all filters.
namespace {
const char quad[] = "vs_1_1\n"
                    "dcl_position v0\n"
                    "dcl_texcoord v1\n"
                    "def c95, 0.5, 0.25, 2, 0\n"
                    "mov oPos, v0\n"
                    "add oT0.xy, v1, c95\n"
                    "mul oT1.xy, v1, c95.z\n";
const char *filters[2] = {R"(ps_2_0
	dcl t0.xy
	dcl_2d s0
	texld r0, t0, s0
	mov oC0, r0)",
                          R"(ps_2_0
	dcl_2d s0
	dcl t1.xy
	texld r0, t1, s0
	mov oC0, r0)"};
}
