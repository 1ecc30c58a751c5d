/* Regrouping of sums and products, lrp as products: the alternatives written, and cases left alone. */
#include "alternatives.h"
#include "move/plan/plan.h"

static const char vp[] = "vs_1_1\ndcl_position v0\ndcl_texcoord v1\nmov oPos, v0\nmov oT0, v1\nmov oT1, v0\n";
static const char head[] = "ps_2_0\ndcl t0\ndcl t1\ndcl_2d s0\ndef c31, 1, 2, 0.5, 0\n"
                           "texld r0, t0, s0\ntexld r1, t1, s0\n";

/* Returns the alternatives of a program, with the texture reads that it needs before it. */
static const char *written(struct arena *a, const char *body, int level)
{
	struct move_options o = move_options_default(VS_1_1, PS_2_0);
	o.level = level;
	struct program *ps = parse_one(a, arena_printf(a, "%s%s", head, body));
	regs_remove_dead(a, ps);
	return alternatives_of(a, parse_one(a, vp), ps, &o);
}

struct regroup_case {
	const char *name, *body, *want;
};

static const struct regroup_case cases[] = {
	{"what can move in a sum is summed first",
	 "add r2, t0, r0\nadd r2, r2, c0\nmov oC0, r2\n",
	 "for add r2, r1, c0\nadd r128, t0, c0\nadd r129, r0, r128\n"},
	{"minus signs",
	 "sub r2, t0, r0\nsub r2, c0, r2\nmov oC0, r2\n",
	 "for sub r2, c0, r1\nadd r128, c0, -t0\nadd r129, r0, r128\n"},
	{"constant factors are multiplied first",
	 "mul r2, r0, c0\nmul r2, r2, c0.x\nmov oC0, r2\n",
	 "for mul r2, r1, c0.x\nmul r128, c0, c0.x\nmul r129, r0, r128\n"},
	{"two constants meet through a temporary",
	 "mul r2, r0, c0\nmul r2, r2, c1\nmov oC0, r2\n",
	 "for mul r2, r1, c1\nmov r128, c1\nmul r129, c0, r128\nmul r130, r0, r129\n"},
	{"a common factor",
	 "mul r2, r0, c0\nmad r2, r0, c0.x, r2\nmov oC0, r2\n",
	 "for mad r2, r0, c0.x, r1\nadd r128, c0.x, c0\nmul r129, r0, r128\n"},
	{"a factor over a sum, of which a part can move",
	 "add r2, r0, t0\nmul r2, r2, c1.x\nmov oC0, r2\n",
	 "for mul r2, r1, c1.x\nmul r128, t0, c1.x\nmad r129, r0, c1.x, r128\n"},
	{"lrp by a constant is two products",
	 "lrp r2, c0.x, r0, t0\nmov oC0, r2\n",
	 "for lrp r1, c0.x, r0, t0\nmov r128, c0.x\nadd r129, c31.x, -r128\nmul r130, t0, r129\n"
	 "mad r131, r0, c0.x, r130\n"},
	{"lrp between what can move",
	 "lrp r2, r0, c0, t0\nmov oC0, r2\n",
	 "for lrp r1, r0, c0, t0\nadd r128, c0, -t0\nmad r129, r0, r128, t0\n"},
	{"lrp by what can move, of a product that cannot be scaled",
	 "mul r0, r0, t0\nlrp r2, t1.w, r0, c0\nmov oC0, r2\n",
	 "for lrp r2, t1.w, r1, c0\nadd r128, c31.x, -t1.w\nmul r129, c0, r128\nmad r130, r1, t1.w, r129\n"},
	{"lanes that were written one by one",
	 "add r0.xy, r0, r1\nmul r0.xy, r0, c31.z\nmad r2.x, r0, c0.z, t0\nmov r2.w, c0.z\nmad r2.y, r0, r2.w, t0\ntexld r2, r2, s0\nmov oC0, r2\n",
	 "for mad r4.x, r3, c0.z, t0\nmov r132.x, c0.z\nmul r133.x, c31.z, r132\n"
	 "mad r134.x, r0.x, r133, t0\nmov r135.x, c0.z\nmul r136.x, c31.z, r135\n"
	 "mad r137.x, r1.x, r136, r134\nfor mad r4.y, r3, r5.w, t0\nmul r128.y, c31.z, r5.w\n"
	 "mad r129.y, r0, r128, t0\nmul r130.y, c31.z, r5.w\nmad r131.y, r1, r130, r129\n"},
	{"a dot product with a negated vector",
	 "frc r0.y, r0\nmul r0.y, r0, -c31.x\ndp3 r2, r0.y, c0\nmov oC0, r2\n",
	 "for dp3 r3, r2.y, c0\nmov r128.xyz, c31.x\nmul r129.xyz, c0, -r128\ndp3 r130, r1.y, r129\n"},
	{"a dot product with a vector that is negated and not scaled",
	 "mov r2, -r0\ndp3 r2, r2, c0\nmov oC0, r2\n",
	 "for dp3 r2, r1, c0\ndp3 r128, -r0, c0\n"},
	{"a dot product with a scaled vector",
	 "mul r2.xyz, r0, c0\ndp3 r2, r2, c0\nmov oC0, r2\n",
	 "for dp3 r2, r1, c0\nmul r128.xyz, c0, c0\ndp3 r129, r0, r128\n"},
	{"what sincos leaves undefined is not read behind it",
	 "min r2.zw, r0, r1\nadd r5.z, r2, c0\nsincos r2.y, t0.w, c29, c30\nmul r6, r2.yzww, c1\nmul r6.z, r5, c2\nmov oC0, r6\n",
	 ""},
	{"other readers keep a sum as it is ...",
	 "add r2, r0, t0\nadd r3, r2, c0\nadd r2, r2, c0.x\nmul r2, r2, r3\nmov oC0, r2\n",
	 "for add r2, r1, c0\nadd r130, t0, c0\nadd r131, r0, r130\nfor add r3, r1, c0.x\n"
	 "add r128, t0, c0.x\nadd r129, r0, r128\n"},
	{"... unless all of them are to take it apart",
	 "add r2, r0, t0\nadd r3, r2, c0\nadd r2, r2, c0.x\nmul r2, r2, r3\nmov oC0, r2\n",
	 "for add r2, r1, c0\nadd r130, t0, c0\nadd r131, r0, r130\nfor add r3, r1, c0.x\n"
	 "add r128, t0, c0.x\nadd r129, r0, r128\n"},
	{"the saturation of the result stays",
	 "mul r2, r0, r1\nadd_sat r2, r2, t0\nmov oC0, r2\n",
	 "for add_sat r3, r2, t0\nmad_sat r128, r0, r1, t0\n"},
	{"a saturated part is not taken apart",
	 "mul_sat r2, r0, r1\nadd r2, r2, t0\nmov oC0, r2\n",
	 ""},
	{"low precision only if all had it",
	 "add r2, r0, t0\nadd_pp r2, r2, c0\nadd_pp r3, r1, t0\nadd_pp r3, r3, c0\nmul r2, r2, r3\nmov oC0, r2\n",
	 "for add_pp r3, r2, c0\nadd r130, t0, c0\nadd r131, r0, r130\nfor add_pp r5, r4, c0\n"
	 "add r128, t0, c0\nadd_pp r129, r1, r128\n"},
	{"swizzles follow one another",
	 "add r2.xyz, r0.yzxw, t0\nadd r2.xyz, r2.yzxw, c0\nmov r2.w, c0\nmov oC0, r2\n",
	 "for add r2.xyz, r1.yzxw, c0\nadd r128.xyz, t0.yzxw, c0\nadd r129.xyz, r0.zxyw, r128\n"},
	{"a swizzle that ps_2_0 has not",
	 "add r2.xyz, r0.wzyx, t0\nadd r2.xyz, r2.yzxw, c0\nmov r2.w, c0\nmov oC0, r2\n",
	 ""},
	{"lanes from two instructions",
	 "add r2.x, r0, t0\nadd r2.yzw, r1, t0\nadd r2, r2, c0\nmov oC0, r2\n",
	 ""},
	{"a register written again in between",
	 "add r2, r0, t0\nmov r0, c0\nadd r2, r2, r0\nmov oC0, r2\n",
	 "for add r3, r1, r2\nadd r128, t0, r2\nadd r129, r0, r128\n"},
	{"an infinity would not cancel",
	 "sub r2, r0, t0\nadd r2, r2, -r0\nmov oC0, r2\n",
	 ""},
};

/* -O2: only a lrp, or two instructions that form one, and products by powers of two. */
static const char *const lrps[][2] = {
	{"add r2, r0, t0\nadd r2, r2, c0\nmov oC0, r2\n",
	 ""},
	{"add r1, r0, t0\nlrp r2, t0.w, r1, c0\nmov oC0, r2\n",
	 "for lrp r2, t0.w, r1, c0\nadd r128, c31.x, -t0.w\nmul r129, c0, r128\nmad r130, r1, t0.w, r129\n"},
	{"lrp r2, r0, c0, t0\nmov oC0, r2\n",
	 "for lrp r1, r0, c0, t0\nadd r128, c0, -t0\nmad r129, r0, r128, t0\n"},
	{"lrp r2, r0, r1, t0\nmov oC0, r2\n",
	 ""},
	{"add r2.xyz, r0, -c0\nmad r0.xyz, t0.w, r2, c0\nmov oC0, r0\n",
	 "for mad r0.xyz, t0.w, r1, c0\nmad r128.xyz, -c0, t0.w, c0\nmad r129.xyz, r0, t0.w, r128\n"},
	{"add r2, r0, c0\nmad r0, t0.w, r2, c0\nmov oC0, r0\n",
	 ""},
	{"add r2, r0, -c0.wzyx\nmad r0, t0.w, r2, c0\nmov oC0, r0\n",
	 ""},
	{"mul r2, r0, c0\nmul r2, r2, c31.y\nmov oC0, r2\n",
	 "for mul r2, r1, c31.y\nmov r128, c31.y\nmul r129, c0, r128\nmul r130, r0, r129\n"},
	{"mul r2, r0, c31.z\nmul r2, c0, r2\nmov oC0, r2\n",
	 "for mul r2, c0, r1\nmov r128, c0\nmul r129, c31.z, r128\nmul r130, r0, r129\n"},
	{"mad r2, r0, c0, t0\nadd r2, r2, r2\nmov oC0, r2\n",
	 "for add r2, r1, r1\nadd r128, t0, t0\nadd r129, c0, c0\nmad r130, r0, r129, r128\n"},
	{"add r2, r0, t0\nmul r2, r2, -c31.y\nmov oC0, r2\n",
	 "for mul r2, r1, -c31.y\nmul r128, t0, -c31.y\nmad r129, r0, -c31.y, r128\n"},
	{"mul r2, r0, c0\nmul r2, r2, c0.x\nmov oC0, r2\n",
	 ""},
	{"mul r2, r0, r1\nmul r2, r2, c31.y\nmov oC0, r2\n",
	 ""},
	{"mul r2, r0, c31.y\nmad r2, r2, c0, r1\nmov oC0, r2\n",
	 ""},
	{"add r2, r0, t0\nadd r2, r2, c0\nmul r2, r2, c31.y\nmov oC0, r2\n",
	 "for mul r3, r2, c31.y\nmov r128, c31.y\nmul r129, c0, r128\nmad r130, r1, c31.y, r129\n"},
};

ARENA_TEST(test_lrp_alone)
{
	for (unsigned k = 0; k < sizeof lrps / sizeof *lrps; k++)
		assert_string_equal(written(*state, lrps[k][0], 2), lrps[k][1]);
}

ARENA_TEST(test_cases)
{
	for (unsigned k = 0; k < sizeof cases / sizeof *cases; k++) {
		print_message("%s\n", cases[k].name);
		assert_string_equal(written(*state, cases[k].body, 3), cases[k].want);
	}
}

/* Checks that the replacement of a given instruction has its number. */
ARENA_TEST(test_origins)
{
	const struct program *vs = parse_one(*state, vp), *ps = parse_one(*state, arena_printf(*state,
		"%sadd r2, t0, r0\nadd r2, r2, c0\nmov oC0, r2\nmov r1, r1\n", head));
	struct move_options o = move_options_default(VS_1_1, PS_2_0);
	o.level = 3;
	struct values *v = rules_extend(values_number_all(*state, &vs, 1, &ps, 1, &o), &(struct group){.vs = &vs, .ps = &ps, .nvs = 1, .nps = 1, .options = &o});
	assert_non_null(v);
	static const uint32_t at[] = {0, 1, 2, SRCPOS_NONE, 3, 3, 4, 5};
	static const bool added[] = {false, false, false, true, true, false, false, false};
	assert_int_equal(v->ps->instrs.n, 8);
	for (unsigned k = 0; k < 8; k++) {
		assert_int_equal(v->ps->instrs.at[k].at, at[k]);
		assert_int_equal(v->numbering[0].sites->added[k], added[k]);
	}
}

static unsigned slots_at(struct arena *a, int level, const char *body)
{
	return slots_planned(a, parse_one(a, vp), parse_one(a, arena_printf(a, "%s%s", head, body)), level);
}

/* Checks that -O3 gives its own result or that of -O2. */
ARENA_TEST(test_levels)
{
	const char *sums = "mul r2, r0, r1\nadd r2, r2, t0\nadd r2, r2, c0\nmov oC0, r2\n";
	assert_int_equal(slots_at(*state, 2, sums), 5);
	assert_int_equal(slots_at(*state, 3, sums), 4);
	for (unsigned k = 0; k < sizeof cases / sizeof *cases; k++)
		assert_true(slots_at(*state, 3, cases[k].body) <= slots_at(*state, 2, cases[k].body));
}

/* Checks the reasons why instructions stay, by lines of the given program. */
ARENA_TEST(test_fates)
{
	const char *text = arena_printf(*state, "%sadd r2, t0, r0\nadd r2, r2, c0\nmov oC0, r2\n", head);
	struct program *ps = parse_one(*state, text);
	struct move_options o = move_options_default(VS_1_1, PS_2_0);
	o.level = 3;
	struct move_result *r = move_plan(*state, parse_one(*state, vp), ps, &o);
	static const uint8_t want[] = {MOVE_OPCODE, MOVE_OPCODE, MOVE_DEPENDS, MOVE_DEPENDS, MOVE_OUTPUT};
	assert_int_equal(r->moved, 0);
	for (unsigned k = 0; k < 5; k++)
		assert_int_equal(r->fates[k].verdict, want[k]);
	assert_int_equal(r->fates[2].because, 0);
	assert_int_equal(r->fates[3].because, 2);
	for (uint32_t k = 0; k < r->ps->instrs.n; k++)
		assert_true(r->ps->instrs.at[k].at == SRCPOS_NONE || r->ps->instrs.at[k].at < strlen(text));
}

/* Checks that the number 1 goes to a constant that the given FP does not read, even in dead code. */
ARENA_TEST(test_one)
{
	static const char *const bodies[][2] = {{"mul r3, r0, c31\n", "c30.x"}, {"mov r3, c30\nmul r3, r0, c31\n", "c29.x"}, {"", "c31.x"}};
	for (unsigned k = 0; k < sizeof bodies / sizeof *bodies; k++) {
		struct move_options o = move_options_default(VS_1_1, PS_2_0);
		o.level = 2;
		const char *fp = arena_printf(*state, "ps_2_0\ndcl t0\ndcl t1\ndcl_2d s0\ntexld r0, t0, s0\n%slrp r2, c0.x, r0, t0\nmov oC0, r2\n", bodies[k][0]);
		const char *got = alternatives_of(*state, parse_one(*state, vp), parse_one(*state, fp), &o);
		if (!strstr(got, arena_printf(*state, "%s, -r", bodies[k][1])))
			fail_msg("not %s: %s", bodies[k][1], got);
	}
}
