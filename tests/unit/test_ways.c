/* Ways of writing an FP: settled, with matrix products by varying rows as dot products; and how they are planned. */
#include "move/rules/rules.h"
#include "move/variants.h"
#include "pairs.h"

static const char vp[] = "vs_1_1\ndcl_position v0\ndcl_texcoord v1\ndcl_normal v2\nmov oPos, v0\nmov oT0, v1\nmov oT1, v0\n"
                         "mov oT2, v2\nmov oT3, v1\n";
static const char head[] = "ps_2_0\ndcl t0\ndcl t1\ndcl t2\ndcl t3\ndcl_2d s0\ndcl_cube s1\n";

static struct ways ways_of(struct arena *a, const struct program *const *vs, const struct program *const *ps,
                           struct move_options *o)
{
	struct ways w;
	ways_find(values_number(a, *vs, *ps), &(struct group){.vs = vs, .ps = ps, .nvs = 1, .nps = 1, .options = o}, &w);
	return w;
}

ARENA_TEST(test_rows)
{
	static const char *const cases[][3] = { /* the product, its replacement, and its readers */
		{"m3x3 r1.xyz, r0, t1\n", "dp3 r1.x, r0, t1\ndp3 r1.y, r0, t2\ndp3 r1.z, r0, t3\n", "r1, s1"},
		{"m3x2_pp r1.xy, r0, t2\n", "dp3_pp r1.x, r0, t2\ndp3_pp r1.y, r0, t3\n", "r1, s0"},
		{"mul r3, t1, c0\nmul r4, t2, c0\nm3x2_sat r1.xy, r0, r3\n",
		 "mul r3.xyz, t1, c0\nmul r4.xyz, t2, c0\ndp3_sat r1.x, r0, r3\ndp3_sat r1.y, r0, r4\n", "r1, s0"},
		{"m4x3 r1.xyz, r0, t0\n", "dp4 r1.x, r0, t0\ndp4 r1.y, r0, t1\ndp4 r1.z, r0, t2\n", "r1, s1"},
		/* The row that is overwritten is read first. */
		{"mul r3, t1, c0\nmul r4, t2, c0\nm3x2 r3.xy, r0, r3\n",
		 "mul r3.xyz, t1, c0\nmul r4.xyz, t2, c0\ndp3 r3.x, r0, r3\ndp3 r3.y, r0, r4\n", "r3, s0"},
		{"mul r3, t1, c0\nmul r4, t2, c0\nm3x2 r4.xy, r0, r3\n",
		 "mul r3.xyz, t1, c0\nmul r4.xyz, t2, c0\ndp3 r4.y, r0, r4\ndp3 r4.x, r0, r3\n", "r4, s0"},
		{"m4x3 r1.xyz, r0, c4\n", NULL, "r1, s1"},
	};
	for (unsigned k = 0; k < sizeof cases / sizeof *cases; k++) {
		const char *before = "texld r0, t0, s0\n", *after = arena_printf(*state, "texld r0, %s\nmov oC0, r0\n", cases[k][2]);
		const struct program *vs = parse_one(*state, vp);
		const struct program *ps = parse_one(*state, arena_printf(*state, "%s%s%s%s", head, before, cases[k][0], after));
		struct move_options o = move_options_default(VS_1_1, PS_2_0);
		o.level = 2;
		struct ways w = ways_of(*state, &vs, &ps, &o);
		if (cases[k][1])
			assert_string_equal(instrs_of(*state, w.way[0][0]), arena_printf(*state, "%s%s%s", before, cases[k][1], after));
		else
			assert_non_null(strstr(instrs_of(*state, w.way[0][0]), "m4x"));
	}
}

/* Checks that repeated and useless work, and factors of 1, are gone before the FP is planned, and that each remaining instruction
 * knows its origin. */
ARENA_TEST(test_settled)
{
	const struct program *vs = parse_one(*state, vp);
	const struct program *ps = parse_one(*state, arena_printf(*state, "%sdef c0, 1, 0, 0, 0\ntexld r0, t0, s0\nmul r1.x, r0.x, c0.x\n"
	                                     "rcp r2.x, r1.x\nrcp r3.x, r0.x\nmul r4, r0, r2.x\nadd r4, r4, t1\nmad r0, r0, r3.x, r4\n"
	                                     "mov r5, t2\nmov oC0, r0\n", head));
	struct move_options o = move_options_default(VS_1_1, PS_2_0);
	o.level = 2;
	struct ways w = ways_of(*state, &vs, &ps, &o);
	const struct program *settled = w.way[0][0];
	assert_string_equal(instrs_of(*state, settled), "texld r0, t0, s0\nrcp r2.x, r0.x\nmad r4, r0, r2.x, t1\nmad r0, r0, r2.x, r4\nmov oC0, r0\n");
	static const srcpos at[] = {0, 2, 5, 6, 8};
	for (unsigned k = 0; k < sizeof at / sizeof *at; k++)
		assert_int_equal(settled->instrs.at[k].at, at[k]);
}

/* Checks that an FP of ps_2_b is settled as ps_2_0, in which it is written, so that no copy goes for a swizzle that only ps_2_b has. */
ARENA_TEST(test_settled_as_written)
{
	const char *body = "mov r1.y, c3.y\nmov r1.x, c3.w\nadd r1.xy, r1, t1\ntexld r0, r1, s0\nmov oC0, r0\n";
	const struct program *vs = parse_one(*state, vp);
	struct move_options o = move_options_default(VS_2_0, PS_2_B);
	o.level = 2;
	for (unsigned k = 0; k < 2; k++) {
		const char *text = arena_printf(*state, "%s\ndcl t1\ndcl_2d s0\nadd r2, t1, t1\n%s", k ? "ps_2_b" : "ps_2_0", body);
		const struct program *ps = parse_one(*state, text);
		struct ways w = ways_of(*state, &vs, &ps, &o);
		assert_string_equal(instrs_of(*state, w.way[0][0]), body);
	}
}

/* Checks that an alternative of an instruction of a way knows the given instruction. */
ARENA_TEST(test_origins)
{
	const struct program *vs = parse_one(*state, vp);
	const struct program *ps = parse_one(*state, arena_printf(*state, "%stexld r0, t0, s0\nm3x3 r1.xyz, r0, t1\nrcp r2.w, t1.w\n"
	                                     "mad r2.xy, t1, r2.w, c0\ntexld r2, r2, s0\nmul r2.xyz, r2, r1\nmov oC0, r2\n", head));
	struct move_options o = move_options_default(VS_1_1, PS_2_0);
	o.level = 3;
	struct ways w = ways_of(*state, &vs, &ps, &o);
	struct group const g = {.vs = &vs, .ps = &ps, .nvs = 1, .nps = 1, .options = &o};
	struct values *v = rules_extend(values_number(*state, vs, w.way[0][0]), &g);
	unsigned rows = 0, projected = 0;
	for (uint32_t k = 0; k < v->ps->instrs.n; k++) {
		const struct instr *i = &v->ps->instrs.at[k];
		rows += i->op == OP_DP3 && i->at == 1;
		projected += i->op == OP_TEXLDP && i->at == 4;
	}
	assert_int_equal(rows, 3);
	assert_int_equal(projected, 1);
}

/* Checks that moving powers of two is a way for every target, as the plans for slots are among its plans. */
ARENA_TEST(test_targets)
{
	const struct program *vs = parse_one(*state, vp);
	const struct program *ps = parse_one(*state, arena_printf(*state, "%sdef c0, 0, 0, 0, 0\ntexld r0, t0, s0\ndp3 r1.x, r0, t1\n"
	                                     "max r1.x, r1.x, c0.x\nadd r1.x, r1.x, r1.x\nmul r0, r0, r1.x\nmov oC0, r0\n", head));
	struct move_options o = move_options_default(VS_1_1, PS_2_0);
	o.level = 2;
	for (unsigned k = 0; k < TARGETS; k++) {
		o.target = targets[k];
		assert_int_equal(ways_of(*state, &vs, &ps, &o).n, 2);
	}
}

ARENA_TEST(test_slots)
{
	struct move_options o = move_options_default(VS_1_1, PS_2_0);
	o.level = 2;
	const char *body = "add r1.xy, t0, c1\ntexld r0, r1, s0\nm3x3 r1.xyz, r0, t1\ntexld r1, r1, s1\nmov oC0, r1\n";
	struct move_result *r = move_plan(*state, parse_one(*state, vp), parse_one(*state, arena_printf(*state, "%s%s", head, body)), &o);
	assert_int_equal(program_total_slots(r->ps), 6);
	assert_true(r->optimal);
	static const uint8_t want[] = {MOVE_MOVED, MOVE_OPCODE, MOVE_DEPENDS, MOVE_OPCODE, MOVE_OUTPUT};
	for (unsigned k = 0; k < 5; k++)
		assert_int_equal(r->fates[k].verdict, want[k]);
}
