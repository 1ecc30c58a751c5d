/* Sums split from their _sat: the text written, equal by the proof; cases left alone; and that it pays. */
#include "move/rules/rules.h"
#include "alternatives.h"

static const char vp[] = "vs_1_1\ndcl_position v0\ndcl_texcoord v1\ndcl_normal v2\nmov oPos, v0\nmov oT0.xy, v1\nmov oT1, v1\nmov oT2, v2\n";
#define HEAD "ps_2_0\ndcl t0.xy\ndcl t1\ndcl t2\ndcl_2d s0\ntexld r1, t0, s0\nmov r2.xyz, t2\n"
#define END "mul r1.xyz, r1, r0\nmov oC0, r1\n"

struct clamped_case {
	const char *body, *alternative; /* "" if none is written */
	unsigned slots;                 /* of the whole pair at -O2 */
};

static const struct clamped_case cases[] = {
	{"add_sat r0.xyz, t1, r2\n", "for add_sat r2.xyz, t1, r1\nadd r128.xyz, t1, r1\nmov_sat r129.xyz, r128\n", 4},
	{"mad_sat r0.xyz, t1, c0, r2\n", "for mad_sat r2.xyz, t1, c0, r1\nmad r128.xyz, t1, c0, r1\nmov_sat r129.xyz, r128\n", 4},
	{"add r0.xyz, t1, r2\nmov_sat r0.xyz, r0\n", "", 4},
	{"add_sat r0.xyz, t1, r1\n", "", 4},
	{"max_sat r0.xyz, t1, r2\n", "", 5},
};

ARENA_TEST(test_clamped)
{
	struct move_options o = move_options_default(VS_1_1, PS_2_0);
	const struct program *vs = parse_one(*state, vp);
	o.level = 2;
	for (unsigned k = 0; k < sizeof cases / sizeof *cases; k++) {
		struct program *ps = parse_one(*state, arena_printf(*state, HEAD "%s" END, cases[k].body));
		print_message("%s", cases[k].body);
		assert_string_equal(alternatives_by(*state, vs, ps, &o, "clamped"), cases[k].alternative);
		assert_int_equal(program_total_slots(move_plan(*state, vs, ps, &o)->ps), cases[k].slots);
	}
}
