/* Projected reads: texldp in place of quotients, equal by the proof; and cases left alone. */
#include "alternatives.h"
#include "move/plan/plan.h"

static const char vp[] = "vs_1_1\ndcl_position v0\ndcl_texcoord v1\nmov oPos, v0\nmov oT0, v1\nmov oT1, v0\n";
static const char head[] = "ps_2_0\ndcl t0\ndcl t1\ndcl_2d s0\ndcl_cube s1\ndcl_volume s2\ndef c31, 0.5, -0.5, 0, 1\n";

static struct program *pixel(struct arena *a, const char *body)
{
	return parse_one(a, arena_printf(a, "%s%s", head, body));
}

static struct program *projected_program(struct arena *a, const struct program *vs, const struct program *ps)
{
	struct move_options o = move_options_default(VS_1_1, PS_2_0);
	o.level = 2;
	return written_by(a, vs, ps, &o, "project");
}

/* Returns the instructions with projected reads, or "" if there are none. */
static const char *projected_with(struct arena *a, const char *vertex, const char *body)
{
	const struct program *vs = parse_one(a, vertex);
	struct program *ps = pixel(a, body), *new = projected_program(a, vs, ps);
	if (!new)
		return "";
	struct proof proof = prove(a, (struct pair){vs, ps}, (struct pair){vs, new}, &(struct proof_context){.plain_textures = UINT_MAX});
	assert_true(proof.equal);
	return instrs_of(a, new);
}

static const char *projected(struct arena *a, const char *body)
{
	return projected_with(a, vp, body);
}

struct project_case {
	const char *name, *body, *want;
};

static const struct project_case cases[] = {
	{"a coordinate times 1 / w",
	 "rcp r0.w, t0.w\nmul r0.xy, t0, r0.w\ntexld r1, r0, s0\nmov oC0, r1\n",
	 "mov r0.w, t0.w\nmov r0.xy, t0\nmov r0.w, r0.w\ntexldp r2, r0, s0\nmov oC0, r2\n"},
	{"the factor first, and negative",
	 "rcp r0.w, -t0.w\nmul r0.xy, -r0.w, t1\ntexld r1, r0, s0\nmov oC0, r1\n",
	 "mov r0.w, -t0.w\nmov r0.xy, -t1\nmov r0.w, r0.w\ntexldp r2, r0, s0\nmov oC0, r2\n"},
	{"scaled and shifted",
	 "rcp r0.w, t0.w\nmul r0.xy, t0, r0.w\nmad r0.xy, r0, c31, c31.x\ntexld r1, r0, s0\nmov oC0, r1\n",
	 "mov r0.w, t0.w\nmov r0.xy, t0\nmul r0.xy, r0, c31\nmad r0.xy, c31.x, r0.w, r0\nmov r0.w, r0.w\ntexldp r3, r0, s0\nmov oC0, r3\n"},
	{"shifted at once",
	 "rcp r0.w, t0.w\nmad r0.xy, t0, r0.w, c0\ntexld r1, r0, s0\nmov oC0, r1\n",
	 "mov r0.w, t0.w\nmad r0.xy, c0, r0.w, t0\nmov r0.w, r0.w\ntexldp r2, r0, s0\nmov oC0, r2\n"},
	{"differences",
	 "rcp r0.w, t0.w\nmul r0.xy, t0, r0.w\nsub r0.xy, c0, r0\nsub r0.xy, r0, c1\nmov r2.xy, -r0\ntexld r1, r2, s0\nmov oC0, r1\n",
	 "mov r0.w, t0.w\nmov r0.xy, t0\nmad r0.xy, c0, r0.w, -r0\nmad r0.xy, -c1, r0.w, r0\n"
	 "mov r0.xy, -r0\nmov r0.w, r0.w\ntexldp r5, r0, s0\nmov oC0, r5\n"},
	{"two quotients, summed",
	 "rcp r0.w, t0.w\nmul r0.xy, t0, r0.w\nmad r0.xy, t1, r0.w, r0\nadd r0.xy, r0, r0\nmad r0.xy, r0, c0, r0\ntexld r1, r0, s0\nmov oC0, r1\n",
	 "mov r0.w, t0.w\nmov r0.xy, t0\nadd r0.xy, t1, r0\nadd r0.xy, r0, r0\nmad r0.xy, r0, c0, r0\nmov r0.w, r0.w\ntexldp r5, r0, s0\nmov oC0, r5\n"},
	{"something else is added",
	 "rcp r0.w, t0.w\nmul r0.xy, t0, r0.w\nmad r0.xy, c0, t1, r0\ntexld r1, r0, s0\nmov oC0, r1\n",
	 "mov r0.w, t0.w\nmov r0.xy, t0\nmul r1.xy, c0, t1\nmad r0.xy, r1, r0.w, r0\nmov r0.w, r0.w\ntexldp r3, r0, s0\nmov oC0, r3\n"},
	{"a texel's share of it",
	 "texld r2, t1, s0\nrcp r0.w, t0.w\nmul r0.xy, t0, r0.w\nmad r0.xy, r2, c0, r0\ntexld r1, r0, s0\nmov oC0, r1\n",
	 "texld r0, t1, s0\nmov r0.w, t0.w\nmov r1.xy, t0\nmul r0.xy, r0, c0\nmad r0.xy, r0, r0.w, r1\nmov r0.w, r0.w\ntexldp r4, r0, s0\nmov oC0, r4\n"},
	{"lanes of different making",
	 "rcp r0.w, t0.w\nmul r0.x, t0, r0.w\nmul r0.y, t1, r0.w\nadd r0.x, r0, c0\ntexld r1, r0, s0\nmov oC0, r1\n",
	 "mov r0.w, t0.w\nmov r0.x, t0\nmov r0.y, t1\nmad r0.x, c0, r0.w, r0\nmov r0.w, r0.w\ntexldp r3, r0, s0\nmov oC0, r3\n"},
	{"one lane that is no quotient",
	 "rcp r0.w, t0.w\nmul r0.x, t0, r0.w\nmov r0.y, t1\ntexld r1, r0, s0\nmov oC0, r1\n",
	 "mov r0.w, t0.w\nmov r0.x, t0\nmov r1.y, t1\nmul r0.y, r1, r0.w\nmov r0.w, r0.w\ntexldp r2, r0, s0\nmov oC0, r2\n"},
	{"lane w is a quotient, too",
	 "rcp r0.w, t0.w\nmul r0, t0, r0.w\ntexld r1, r0, s0\nadd r1, r1, r0.w\nmov oC0, r1\n",
	 "mov r2.w, t0.w\nrcp r0.w, t0.w\nmov r0.xy, t0\nmul r1.w, t0, r0.w\nmov r0.xy, r0\n"
	 "mov r0.w, r2.w\ntexldp r2, r0, s0\nadd r3, r2, r1.w\nmov oC0, r3\n"},
	{"a volume",
	 "rcp r0.w, t0.w\nmul r0.xyz, t0, r0.w\ntexld r1, r0, s2\nmov oC0, r1\n",
	 "mov r0.w, t0.w\nmov r0.xyz, t0\nmov r0.w, r0.w\ntexldp r2, r0, s2\nmov oC0, r2\n"},
	{"two reads",
	 "rcp r0.w, t0.w\nmul r0.xy, t0, r0.w\nadd r2.xy, r0, c0\ntexld r1, r0, s0\ntexld r2, r2, s0\nadd r1, r1, r2\nmov oC0, r1\n",
	 "mov r0.w, t0.w\nmov r1.xy, t0\nmad r0.xy, c0, r0.w, r1\nmov r1.w, r0.w\ntexldp r3, r1, s0\n"
	 "mov r0.w, r0.w\ntexldp r4, r0, s0\nadd r5, r3, r4\nmov oC0, r5\n"},
	{"the quotient has other readers",
	 "rcp r0.w, t0.w\nmul r0.xyz, t0, r0.w\ntexld r1, r0, s0\nmul r1, r1, r0.z\nmov oC0, r1\n",
	 "mov r1.w, t0.w\nrcp r0.w, t0.w\nmov r0.xy, t0\nmul r1.z, t0, r0.w\nmov r0.w, r1.w\ntexldp r2, r0, s0\nmul r3, r2, r1.z\nmov oC0, r3\n"},
	{"w is a sum",
	 "add r2.w, t0.w, c0.x\nrcp r0.w, r2.w\nmul r0.xy, t0, r0.w\ntexld r1, r0, s0\nmov oC0, r1\n",
	 "add r0.w, t0.w, c0.x\nmov r0.w, r0.w\nmov r0.xy, t0\nmov r0.w, r0.w\ntexldp r3, r0, s0\nmov oC0, r3\n"},
	{"lanes of different making, of which one reads what another writes",
	 "rcp r0.w, t0.w\nmul r0.xz, t0, r0.w\nmov r0.y, t1\nmad r0.xy, r0, c1, r0.x\ntexld r1, r0, s2\nmov oC0, r1\n",
	 "mov r1.w, t0.w\nrcp r0.w, t0.w\nmov r0.xz, t0\nmul r1.x, t0, r0.w\nmov r1.y, t1\nmad r0.x, r0, c1, r0.x\n"
	 "mad r1.y, r1, c1, r1.x\nmul r0.y, r1, r1.w\nmov r0.w, r1.w\ntexldp r2, r0, s2\nmov oC0, r2\n"},
	{"low precision of results only",
	 "rcp_pp r0.w, t0.w\nmul_pp r0.xy, t0, r0.w\nadd r0.xy, r0, c0\ntexld_pp r1, r0, s0\nmov oC0, r1\n",
	 "mov r0.w, t0.w\nmov_pp r0.xy, t0\nmad r0.xy, c0, r0.w, r0\nmov r0.w, r0.w\ntexldp_pp r3, r0, s0\nmov oC0, r3\n"},
	{"a cube has no projection",
	 "rcp r0.w, t0.w\nmul r0.xyz, t0, r0.w\ntexld r1, r0, s1\nmov oC0, r1\n",
	 ""},
	{"two divisors",
	 "rcp r0.z, t0.w\nrcp r0.w, t1.w\nmul r0.x, t0, r0.z\nmul r0.y, t0, r0.w\ntexld r1, r0, s0\nmov oC0, r1\n",
	 ""},
	{"a divisor that is a texel",
	 "texld r2, t1, s0\nrcp r0.w, r2.w\nmul r0.xy, t0, r0.w\ntexld r1, r0, s0\nmov oC0, r1\n",
	 ""},
	{"a constant divisor",
	 "rcp r0.w, c0.w\nmul r0.xy, t0, r0.w\ntexld r1, r0, s0\nmov oC0, r1\n",
	 ""},
	{"saturated",
	 "rcp r0.w, t0.w\nmul_sat r0.xy, t0, r0.w\ntexld r1, r0, s0\nmov oC0, r1\n",
	 ""},
	{"squared",
	 "rcp r0.w, t0.w\nmul r0.xy, t0, r0.w\nmul r0.xy, r0, r0\ntexld r1, r0, s0\nmov oC0, r1\n",
	 ""},
	{"1 / w alone",
	 "rcp r0.xy, t0.w\ntexld r1, r0, s0\nmov oC0, r1\n",
	 ""},
	{"read with a bias",
	 "rcp r0.z, t0.w\nmul r0.xy, t0, r0.z\nmov r0.w, c0\ntexldb r1, r0, s0\nmov oC0, r1\n",
	 ""},
	{"the register was written again",
	 "rcp r0.w, t0.w\nmul r0.xy, t0, r0.w\ntexld r0, t1, s0\ntexld r1, r0, s0\nmov oC0, r1\n",
	 ""},
};

ARENA_TEST(test_cases)
{
	for (unsigned k = 0; k < sizeof cases / sizeof *cases; k++) {
		print_message("%s\n", cases[k].name);
		assert_string_equal(projected(*state, cases[k].body), cases[k].want);
	}
}

/* Checks that a w that may be 0 is no divisor. */
ARENA_TEST(test_numbers)
{
	static const char body[] = "rcp r0.w, t0.y\nmad r0.xy, t1, r0.w, c0\ntexld r1, r0, s0\nmov oC0, r1\n";
	const char *head_of_vp = "vs_1_1\ndef c9, -1, 0, 0, 0\ndcl_position v0\nmov oPos, v0\nmov oT1, v0\n";
	assert_string_equal(projected_with(*state, arena_printf(*state, "%slit oT0, c9\n", head_of_vp), body), "");
	assert_string_equal(projected_with(*state, arena_printf(*state, "%smax r0, c9, c9\nmov oT0, r0\n", head_of_vp), body), "");
	assert_string_not_equal(projected_with(*state, arena_printf(*state, "%slit oT0, c8\n", head_of_vp), body), "");
	assert_string_not_equal(projected_with(*state, arena_printf(*state, "%slit oT0, v0\n", head_of_vp), body), "");
}

/* Checks that each instruction knows the given one that it replaces. */
ARENA_TEST(test_origins)
{
	struct program *ps = pixel(*state, "rcp r0.w, t0.w\nmul r0.xy, t0, r0.w\ntexld r1, r0, s0\nmov oC0, r1\n");
	const struct program *vs = parse_one(*state, vp);
	struct program *new = projected_program(*state, vs, ps);
	static const uint32_t at[] = {SRCPOS_NONE, SRCPOS_NONE, SRCPOS_NONE, 2, 3};
	assert_int_equal(new->instrs.n, 5);
	for (unsigned k = 0; k < 5; k++)
		assert_int_equal(new->instrs.at[k].at, at[k]);
}

/* Checks that texldp is not written for targets that charge for interpolated scalars, where it takes as long as the division. */
ARENA_TEST(test_targets)
{
	const struct program *vs = parse_one(*state, vp), *ps = pixel(*state, cases[0].body);
	struct move_options o = move_options_default(VS_1_1, PS_2_0);
	o.level = 2;
	for (unsigned k = 0; k < TARGETS; k++) {
		o.target = targets[k];
		assert_int_equal(written_by(*state, vs, ps, &o, "project") == NULL, targets[k].varying != 0);
	}
}

static unsigned slots_at(struct arena *a, int level, const char *body)
{
	return slots_planned(a, parse_one(a, vp), pixel(a, body), level);
}

/* Checks two reads divided by one w: only the first is shorter with texldp, as the .x of the second has another reader and its .y is a
 * texel's. */
ARENA_TEST(test_one_of_two)
{
	static const char body[] = "rcp r0.w, t0.w\nmad r1.xy, t1, r0.w, c0\ntexld r1, r1, s0\nmul r2.x, t0, r0.w\nmov r2.y, r1\n"
	                           "texld r3, r2, s0\nmul r3, r3, r1\nmul r3, r3, r2.x\nmov oC0, r3\n";
	struct move_options options = move_options_default(VS_1_1, PS_2_0);
	options.level = 2;
	const struct program *ps = move_plan(*state, parse_one(*state, vp), pixel(*state, body), &options)->ps;
	unsigned projected = 0, plain = 0;
	for (uint32_t k = 0; k < ps->instrs.n; k++) {
		projected += ps->instrs.at[k].op == OP_TEXLDP;
		plain += ps->instrs.at[k].op == OP_TEXLD;
	}
	assert_int_equal(program_total_slots(ps), 8);
	assert_int_equal(projected, 1);
	assert_int_equal(plain, 1);
}

ARENA_TEST(test_slots)
{
	const char *screen = "rcp r0.w, t1.w\nmul r0.xy, t1, r0.w\nmad r0.xy, r0, c31, c31.x\nadd r0.xy, r0, c1\n"
	                     "texld r0, r0, s0\nmov oC0, r0\n";
	assert_int_equal(slots_at(*state, 2, screen), 2);
	/* A dividend from a texel costs no more than before. */
	for (unsigned k = 0; k < sizeof cases / sizeof *cases; k++)
		assert_true(slots_at(*state, 2, cases[k].body) <= slots_at(*state, 1, cases[k].body));
}

/* Checks depth comparisons: a .z that is no quotient is not multiplied so that texldp can divide it. */
ARENA_TEST(test_depths)
{
	struct arena *a = *state;
	static const struct { const char *body, *want; } rows[] = {
		{"rcp r0.w, t0.w\nmul r0.xyz, t0, r0.w\ntexld r1, r0, s0\nmov oC0, r1\n",
		 "mov r0.w, t0.w\nmov r0.xyz, t0\nmov r0.w, r0.w\ntexldp r2, r0, s0\nmov oC0, r2\n"},
		{"rcp r0.w, t0.w\nmul r0.xy, t0, r0.w\nmov r0.z, c0.x\ntexld r1, r0, s0\nmov oC0, r1\n", NULL},
	};
	for (unsigned k = 0; k < sizeof rows / sizeof *rows; k++) {
		const struct program *vs = parse_one(a, vp);
		const struct program *ps = mark_depth_reads(a, pixel(a, rows[k].body), &vs, 1, 0);
		struct program *new = projected_program(a, vs, ps);
		assert_int_equal(new != NULL, rows[k].want != NULL);
		if (!new)
			continue;
		assert_true(prove(a, (struct pair){vs, ps}, (struct pair){vs, new}, &(struct proof_context){0}).equal);
		const char *got = instrs_of(a, new);
		if (!strstr(got, rows[k].want) || !strstr(got, "texldp"))
			fail_msg("%s", got);
	}
}
