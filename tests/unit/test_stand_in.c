/* The vertex program that stands for all with which a pixel program may be drawn. */
#include "texts.h"

#include "stand_in.h"

static struct program *make(struct texts *t, const char *ps)
{
	read_good(t, ps);
	return stand_in_make(&t->arena, t->list.at[0]);
}

TEXT_TEST(it_feeds_each_lane_that_is_declared)
{
	struct texts *t = *state;
	assert_string_equal(printed(t, make(t, "ps_2_0\ndcl t3.xy\ndcl v1\ndcl_2d s0\ntexld r0, t3, s0\nmul r0, r0, v1\nmov oC0, r0\n")),
	                    "vs_1_1\ndcl_position v15\ndcl_texcoord0 v0\ndcl_texcoord1 v1\nmov oT3.xy, v0\nmov oD1, v1\nmov oPos, v15\n");
}

/* Checks that two v# of one usage read one output, and that inputs from the rasterizer read none. */
TEXT_TEST(model_3_links_by_usage)
{
	struct texts *t = *state;
	assert_string_equal(printed(t, make(t, "ps_3_0\ndcl_texcoord5 v0.xy\ndcl_color v2\ndcl_texcoord5 v1.z\ndcl vPos.xy\n"
	                                       "mov r0.xy, v0\nmov r0.zw, v1.z\nadd r0, r0, v2\nmov r0.x, vPos.x\nmov oC0, r0\n")),
	                    "vs_3_0\ndcl_position v15\ndcl_position o11\ndcl_texcoord0 v0\ndcl_texcoord1 v1\ndcl_texcoord5 o0.xyz\ndcl_color0 o1\n"
	                    "mov o0.xyz, v0\nmov o1, v1\nmov o11, v15\n");
}

TEXT_TEST(a_program_without_inputs_has_one_too)
{
	struct texts *t = *state;
	assert_string_equal(printed(t, make(t, "ps_2_0\nmov oC0, c0\n")), "vs_1_1\ndcl_position v15\nmov oPos, v15\n");
}
