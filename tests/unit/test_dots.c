/* Sums of squares as dot products: the text written, equal by the proof; and cases left alone. */
#include "alternatives.h"

static const char vp[] = "vs_1_1\ndcl_position v0\ndcl_texcoord v1\ndcl_texcoord1 v2\nmov oPos, v0\nmov oT0, v1\nmov oT1, v2\n";
#define HEAD "ps_2_0\ndcl t0\ndcl t1\ndcl_2d s0\n"
#define DEFS "def c31, 0.25, 0, 1, -2\n"
#define READ "texld r0, t0, s0\n"
#define END "mul r0, r0, r1.x\nmov oC0, r0\n"

struct dots_case {
	const char *name, *head, *body, *want;
};

static void check_cases(void **state, const char *rule, int level, const struct dots_case *cases, size_t n)
{
	for (size_t k = 0; k < n; k++) {
		struct move_options o = move_options_default(VS_1_1, PS_2_0);
		o.level = level;
		print_message("%s\n", cases[k].name);
		struct program *ps = parse_one(*state, arena_printf(*state, HEAD "%s" READ "%s" END, cases[k].head, cases[k].body));
		assert_string_equal(alternatives_by(*state, parse_one(*state, vp), ps, &o, rule), cases[k].want);
	}
}

ARENA_TEST(test_join)
{
	static const struct dots_case cases[] = {
		{"two squares of what can move", DEFS, "dp2add r1.x, t0, t0, c31.y\n",
		 "for dp2add r1.x, t0, t0, c31.y\nmov r128.x, t0.x\nmov r128.y, t0.y\nadd r128.z, t0.x, -t0.x\n"
		 "dp3 r129.x, r128, r128\n"},
		{"of differences, subtracted", "",
		 "add r1.xy, t0, -c0\nmul r2.xy, r1, -r1\nadd r1.x, r2.y, r2.x\n",
		 "for add r3.x, r2.y, r2.x\nmov r128.x, r1.y\nmov r128.y, r1.x\nadd r128.z, r1.y, -r1.y\n"
		 "dp3 r129.x, -r128, r128\n"},
		{"three", "", "mul r1.x, t0.z, t0.z\nmad r1.x, t1.y, t1.y, r1.x\nmad_sat r1.x, t1.x, t1.x, r1.x\n",
		 "for mad_sat r3.x, t1.x, t1.x, r2.x\nmov r128.x, t0.z\nmov r128.y, t1.y\nmov r128.z, t1.x\ndp3_sat r129.x, r128, r128\n"},
		{"two products of pixels", "", "mul r1.x, r0.x, t1.x\nmad r1.x, r0.y, t1.y, r1.x\n", ""},
		{"two products of different values", "", "mul r1.x, t0.x, t0.y\nmad r1.x, t0.z, t0.w, r1.x\n", ""},
		{"a difference of squares", "", "mul r1.x, t0.x, t0.x\nmad r1.x, -t0.y, t0.y, r1.x\n", ""},
		{"one addend more", "", "dp2add r1.x, t0, t0, c0.y\n", ""},
		{"only as far as nothing is saturated", "", "mul r1.x, t0.x, t0.x\nmad_sat r1.x, t0.y, t0.y, r1.x\nmad r1.x, t0.z, t0.z, r1.x\n",
		 "for mad_sat r2.x, t0.y, t0.y, r1.x\nmov r128.x, t0.x\nmov r128.y, t0.y\nadd r128.z, t0.x, -t0.x\ndp3_sat r129.x, r128, r128\n"},
		{"read on the way", "", "mul r1.x, t0.x, t0.x\nmad r1.y, t0.y, t0.y, r1.x\nmul r0.x, r0.x, r1.x\n", ""},
		{"overwritten on the way", "", "mov r1.x, t0.x\nmul r2.x, r1.x, r1.x\nmov r1.x, r0.x\nmad r2.x, t0.y, t0.y, r2.x\nmul r0, r0, r2.x\n",
		 "for mad r4.x, t0.y, t0.y, r2.x\nmov r128.x, r1.x\nmov r128.y, t0.y\nadd r128.z, r1.x, -r1.x\ndp3 r129.x, r128, r128\n"},
	};
	check_cases(state, "dots", 2, cases, sizeof cases / sizeof *cases);
}

/* Checks that the rule works from its level on, and not for targets that charge for interpolated scalars. */
ARENA_TEST(test_levels)
{
	const char *fp = HEAD READ "mul r2.x, t1.x, t1.x\nmad r2.x, t1.y, t1.y, r2.x\n"
	                 "mov r0.y, t1\ndp3 r1.x, c0, r0\nadd r1.x, r1.x, r2.x\n" END;
	for (unsigned k = 0; k < TARGETS; k++)
		for (int level = 2; level <= 3; level++) {
			struct move_options o = move_options_default(VS_1_1, PS_2_0);
			o.level = level;
			o.target = targets[k];
			const char *dots = alternatives_by(*state, parse_one(*state, vp), parse_one(*state, fp), &o, "dots");
			assert_int_equal(*dots != 0, !targets[k].varying);
		}
}
