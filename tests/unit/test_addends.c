/* Products and sums that read different constants as mad: what is written, equal by the proof; and what is left alone. */
#include "move/rules/rules.h"
#include "alternatives.h"
#include "move/plan/plan.h"

static const char vp[] = "vs_1_1\ndcl_position v0\ndcl_texcoord v1\nmov oPos, v0\nmov oT0, v1\n";
#define HEAD "ps_2_0\ndcl t0\ndcl_2d s0\n"
#define DEFS "def c31, 0.25, 0, 1, -2\n"
#define READ "texld r0, t0, s0\n"
#define END "texld r1, r1, s0\nmov oC0, r1\n"

/* What is written for sums of products that are no mad for their constants; "" if there are none. */
static const char *added(struct arena *a, const char *body)
{
	static const char two[] = "vs_1_1\ndcl_position v0\ndcl_texcoord v1\nmov oPos, v0\nmov oT0, v1\nmov oT1, v0\nmov oT2, v0.w\n";
	struct program *ps = parse_one(a, arena_printf(a, HEAD "dcl t1\ndcl t2\n" DEFS READ "%s" END, body));
	struct move_options o = move_options_default(VS_1_1, PS_2_0);
	o.level = 2;
	return alternatives_of(a, parse_one(a, two), ps, &o);
}

static void test_addends(void **state)
{
	static const char *const addends[][2] = {
		{"mul r1.xy, r0, c0\nadd r1.xy, r1, c1\n", "for add r2.xy, r1, c1\nmov r128.xy, c1\nmad r129.xy, r0, c0, r128\n"},
		{"mul r1, c0, r0\nsub r1.xy, c1.wzyx, r1\n",
		 "for sub r2.xy, c1.wzyx, r1\nmov r128.xy, c1.wzyx\nmad r129.xy, -c0, r0, r128\n"},
		{"mul r1.xy, r0, t1\nsub r1.xy, r1, t2.w\n", "for sub r2.xy, r1, t2.w\nmov r128.xy, t2.w\nmad r129.xy, r0, t1, -r128\n"},
		{"mul r1.xy, r0, c0\nadd_sat r1.xy, r1, c31.x\nmul r1.xy, r1, c1\nadd r1.xy, r1, c2\n",
		 "for add_sat r2.xy, r1, c31.x\nmov r130.xy, c31.x\nmad_sat r131.xy, r0, c0, r130\n"
		 "for add r4.xy, r3, c2\nmov r128.xy, c2\nmad r129.xy, r2, c1, r128\n"},
		{"mul r1.xy, r0, c0\nadd r1.xy, r1, c0.wzyx\n", ""},      /* tidying's */
		{"mul_sat r1.xy, r0, c0\nadd r1.xy, r1, c1\n", ""},
		{"mul r1.xy, r0, c0\nadd r2.xy, r1, c1\nmad r1.xy, r2, r2, r1\n", ""},
		{"mul r1.xy, r0, t1\nadd r1.xy, r1, c1\n", ""},
		{"mul r1.xy, r0, c0\nmov r0.y, c1.x\nadd r1.xy, r1, c1\nadd r1.xy, r1, r0\n", ""},
	};
	for (unsigned k = 0; k < sizeof addends / sizeof *addends; k++)
		assert_string_equal(added(*state, addends[k][0]), addends[k][1]);
}

/* Planned: the second constant comes in an interpolator, if one is free. */
static void test_slots(void **state)
{
	static const char full[] = "vs_1_1\ndcl_position v0\nmov oPos, v0\nmov oT0, v0\nmov oT1, v0\n";
	static const char *const vertex[] = {vp, full};
	struct move_options options = move_options_default(VS_1_1, PS_2_0);
	options.level = 2;
	options.free_ties = true; /* a colour's alpha, too, is added to */
	for (unsigned k = 0; k < 2; k++) {
		options.texcoords = 2 - k;
		struct program *ps = parse_one(*state, HEAD READ "mul r1, r0, c0\nadd r1, r1, c1\nmov oC0, r1\n");
		assert_int_equal(program_total_slots(move_plan(*state, parse_one(*state, vertex[k]), ps, &options)->ps), k ? 4 : 3);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {ARENA_TEST(test_addends), ARENA_TEST(test_slots)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
