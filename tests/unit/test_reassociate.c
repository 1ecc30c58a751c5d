/* Regrouping of sums and products at -O3: what is written, and what is left alone. */
#include "move/rules/regroup.h"
#include "pairs.h"

static const char vp[] = "vs_1_1\ndcl_position v0\ndcl_texcoord v1\nmov oPos, v0\nmov oT0, v1\nmov oT1, v0\n";
static const char head[] = "ps_2_0\ndcl t0\ndcl t1\ndcl_2d s0\ndef c31, 1, 2, 0.5, 0\n"
                           "texld r0, t0, s0\ntexld r1, t1, s0\n";

/* The instructions behind two texture reads, regrouped with those; "" if nothing was. */
static const char *regrouped(struct arena *a, const char *body, bool eager)
{
	const char *text = arena_printf(a, "%s%s", head, body);
	struct program *ps = reassociate(a, parse_one(a, vp), parse_one(a, text), NULL, eager ? REGROUP_EAGER : REGROUP_PLAIN);
	if (!ps)
		return "";
	return instrs_of(a, ps);
}

struct regroup_case {
	const char *name, *body, *want;
	bool eager;
};

static const struct regroup_case cases[] = {
	{"what can move in a sum is summed first",
	 "add r2, t0, r0\nadd r2, r2, c0\nmov oC0, r2\n",
	 "texld r0, t0, s0\nadd r1, t0, c0\nadd r2, r0, r1\nmov oC0, r2\n", false},
	{"minus signs",
	 "sub r2, t0, r0\nsub r2, c0, r2\nmov oC0, r2\n",
	 "texld r0, t0, s0\nadd r1, c0, -t0\nadd r2, r0, r1\nmov oC0, r2\n", false},
	{"constant factors are multiplied first",
	 "mul r2, r0, c0\nmul r2, r2, c0.x\nmov oC0, r2\n",
	 "texld r0, t0, s0\nmul r1, c0, c0.x\nmul r2, r0, r1\nmov oC0, r2\n", false},
	{"two constants meet through a temporary",
	 "mul r2, r0, c0\nmul r2, r2, c1\nmov oC0, r2\n",
	 "texld r0, t0, s0\nmov r1, c1\nmul r2, c0, r1\nmul r3, r0, r2\nmov oC0, r3\n", false},
	{"a common factor",
	 "mul r2, r0, c0\nmad r2, r0, c0.x, r2\nmov oC0, r2\n",
	 "texld r0, t0, s0\nadd r1, c0.x, c0\nmul r2, r0, r1\nmov oC0, r2\n", false},
	{"a factor over a sum, of which a part can move",
	 "add r2, r0, t0\nmul r2, r2, c1.x\nmov oC0, r2\n",
	 "texld r0, t0, s0\nmul r1, t0, c1.x\nmad r2, r0, c1.x, r1\nmov oC0, r2\n", false},
	{"lrp by a constant is two products",
	 "lrp r2, c0.x, r0, t0\nmov oC0, r2\n",
	 "texld r0, t0, s0\nmov r1, c0.x\nadd r2, c31.x, -r1\nmul r3, t0, r2\nmad r4, r0, c0.x, r3\nmov oC0, r4\n", false},
	{"lrp between what can move",
	 "lrp r2, r0, c0, t0\nmov oC0, r2\n",
	 "texld r0, t0, s0\nadd r1, c0, -t0\nmad r2, r0, r1, t0\nmov oC0, r2\n", false},
	{"lrp by what can move, of a product that cannot be scaled",
	 "mul r0, r0, t0\nlrp r2, t1.w, r0, c0\nmov oC0, r2\n",
	 "texld r0, t0, s0\nmul r1, r0, t0\nadd r2, c31.x, -t1.w\nmul r3, c0, r2\nmad r4, r1, t1.w, r3\nmov oC0, r4\n", false},
	{"lanes that were written one by one",
	 "add r0.xy, r0, r1\nmul r0.xy, r0, c31.z\nmad r2.x, r0, c0.z, t0\nmov r2.w, c0.z\nmad r2.y, r0, r2.w, t0\ntexld r2, r2, s0\nmov oC0, r2\n",
	 "texld r0, t0, s0\ntexld r1, t1, s0\nmov r2.xy, c0.z\nmul r3.xy, c31.z, r2\nmad r4.xy, r0, r3, t0\nmov r5.xy, c0.z\n"
	 "mul r6.xy, c31.z, r5\nmad r7.xy, r1, r6, r4\ntexld r8, r7, s0\nmov oC0, r8\n", true},
	{"a dot product with a negated vector",
	 "frc r0.y, r0\nmul r0.y, r0, -c31.x\ndp3 r2, r0.y, c0\nmov oC0, r2\n",
	 "texld r0, t0, s0\nfrc r1.y, r0\ndp3 r2, -r1.y, c0\nmov oC0, r2\n", true},
	{"twice a dot product",
	 "dp3 r2.w, r0, t1\nadd r2.w, r2.w, r2.w\nmad r2.xyz, -r2.w, r0, t1\nmov oC0, r2\n",
	 "texld r0, t0, s0\nadd r1.xyz, t1, t1\ndp3 r2.w, r0, r1\nmad r2.xyz, -r2.w, r0, t1\nmov oC0, r2\n", false},
	{"a dot product with a scaled vector",
	 "mul r2.xyz, r0, c0\ndp3 r2, r2, c0\nmov oC0, r2\n",
	 "texld r0, t0, s0\nmul r1.xyz, c0, c0\ndp3 r2, r0, r1\nmov oC0, r2\n", false},
	{"a dot product times a constant",
	 "dp3 r2.x, r0, c0\nmul r2, r2.x, -c0.w\nmov oC0, r2\n",
	 "texld r0, t0, s0\nmul r1.xyz, c0, -c0.w\ndp3 r2, r0, r1\nmov oC0, r2\n", false},
	{"a dot product times different lanes",
	 "dp3 r2.x, r0, c0\nmul r2, r2.x, c0\nmov oC0, r2\n",
	 "", false},
	{"what sincos leaves undefined is not read behind it",
	 "min r2.zw, r0, r1\nadd r5.z, r2, c0\nsincos r2.y, t0.w, c29, c30\nmul r6, r2.yzww, c1\nmul r6.z, r5, c2\nmov oC0, r6\n",
	 "", false},
	{"other readers keep a sum as it is ...",
	 "add r2, r0, t0\nadd r3, r2, c0\nadd r2, r2, c0.x\nmul r2, r2, r3\nmov oC0, r2\n",
	 "", false},
	{"... unless all of them are to take it apart",
	 "add r2, r0, t0\nadd r3, r2, c0\nadd r2, r2, c0.x\nmul r2, r2, r3\nmov oC0, r2\n",
	 "texld r0, t0, s0\nadd r1, t0, c0\nadd r2, r0, r1\nadd r3, t0, c0.x\nadd r4, r0, r3\nmul r5, r4, r2\nmov oC0, r5\n", true},
	{"the saturation of the result stays",
	 "mul r2, r0, r1\nadd_sat r2, r2, t0\nmov oC0, r2\n",
	 "texld r0, t0, s0\ntexld r1, t1, s0\nmad_sat r2, r0, r1, t0\nmov oC0, r2\n", false},
	{"a saturated part is not taken apart",
	 "mul_sat r2, r0, r1\nadd r2, r2, t0\nmov oC0, r2\n",
	 "", false},
	{"low precision only if all had it",
	 "add r2, r0, t0\nadd_pp r2, r2, c0\nadd_pp r3, r1, t0\nadd_pp r3, r3, c0\nmul r2, r2, r3\nmov oC0, r2\n",
	 "texld r0, t0, s0\ntexld r1, t1, s0\nadd r2, t0, c0\nadd r3, r0, r2\nadd r4, t0, c0\nadd_pp r5, r1, r4\nmul r6, r3, r5\nmov oC0, r6\n", false},
	{"swizzles follow one another",
	 "add r2.xyz, r0.yzxw, t0\nadd r2.xyz, r2.yzxw, c0\nmov r2.w, c0\nmov oC0, r2\n",
	 "texld r0, t0, s0\nadd r1.xyz, t0.yzxw, c0\nadd r2.xyz, r0.zxyw, r1\nmov r2.w, c0\nmov oC0, r2\n", false},
	{"a swizzle that ps_2_0 has not",
	 "add r2.xyz, r0.wzyx, t0\nadd r2.xyz, r2.yzxw, c0\nmov r2.w, c0\nmov oC0, r2\n",
	 "", false},
	{"lanes from two instructions",
	 "add r2.x, r0, t0\nadd r2.yzw, r1, t0\nadd r2, r2, c0\nmov oC0, r2\n",
	 "", false},
	{"a register written again in between",
	 "add r2, r0, t0\nmov r0, c0\nadd r2, r2, r0\nmov oC0, r2\n",
	 "texld r0, t0, s0\nmov r1, c0\nadd r2, t0, r1\nadd r3, r0, r2\nmov oC0, r3\n", false},
	{"an infinity would not cancel",
	 "sub r2, r0, t0\nadd r2, r2, -r0\nmov oC0, r2\n",
	 "", false},
};

/* -O2: only what is a lrp, or two instructions that are one, and nothing around it; and products by powers of two. */
static void test_lrp_alone(void **state)
{
	static const char *const lrps[][2] = {
		{"add r2, r0, t0\nadd r2, r2, c0\nmov oC0, r2\n", ""},
		{"add r1, r0, t0\nlrp r2, t0.w, r1, c0\nmov oC0, r2\n",
		 "texld r0, t0, s0\nadd r1, r0, t0\nadd r2, c31.x, -t0.w\nmul r3, c0, r2\nmad r4, r1, t0.w, r3\nmov oC0, r4\n"},
		{"lrp r2, r0, c0, t0\nmov oC0, r2\n", "texld r0, t0, s0\nadd r1, c0, -t0\nmad r2, r0, r1, t0\nmov oC0, r2\n"},
		{"lrp r2, r0, r1, t0\nmov oC0, r2\n", ""},
		{"add r2.xyz, r0, -c0\nmad r0.xyz, t0.w, r2, c0\nmov oC0, r0\n",
		 "texld r0, t0, s0\nmad r1.xyz, -c0, t0.w, c0\nmad r0.xyz, r0, t0.w, r1\nmov oC0, r0\n"},
		{"add r2, r0, c0\nmad r0, t0.w, r2, c0\nmov oC0, r0\n", ""},
		{"add r2, r0, -c0.wzyx\nmad r0, t0.w, r2, c0\nmov oC0, r0\n", ""},
		{"mul r2, r0, c0\nmul r2, r2, c31.y\nmov oC0, r2\n",
		 "texld r0, t0, s0\nmov r1, c31.y\nmul r2, c0, r1\nmul r3, r0, r2\nmov oC0, r3\n"},
		{"mul r2, r0, c31.z\nmul r2, c0, r2\nmov oC0, r2\n",
		 "texld r0, t0, s0\nmov r1, c0\nmul r2, c31.z, r1\nmul r3, r0, r2\nmov oC0, r3\n"},
		{"mad r2, r0, c0, t0\nadd r2, r2, r2\nmov oC0, r2\n",
		 "texld r0, t0, s0\nadd r1, t0, t0\nadd r2, c0, c0\nmad r3, r0, r2, r1\nmov oC0, r3\n"},
		{"add r2, r0, t0\nmul r2, r2, -c31.y\nmov oC0, r2\n",
		 "texld r0, t0, s0\nmul r1, t0, -c31.y\nmad r2, r0, -c31.y, r1\nmov oC0, r2\n"},
		{"dp4 r2, r0, t0\nmul r2, r2, c31.y\nmov oC0, r2\n",
		 "texld r0, t0, s0\nmul r1, t0, c31.y\ndp4 r2, r0, r1\nmov oC0, r2\n"},
		{"mul r2, r0, c0\nmul r2, r2, c0.x\nmov oC0, r2\n", ""},
		{"mul r2, r0, r1\nmul r2, r2, c31.y\nmov oC0, r2\n", ""},
		{"mul r2, r0, c31.y\nmad r2, r2, c0, r1\nmov oC0, r2\n", ""},
		{"add r2, r0, t0\nadd r2, r2, c0\nmul r2, r2, c31.y\nmov oC0, r2\n",
		 "texld r0, t0, s0\nadd r1, r0, t0\nmov r2, c31.y\nmul r3, c0, r2\nmad r4, r1, c31.y, r3\nmov oC0, r4\n"},
	};
	for (unsigned k = 0; k < sizeof lrps / sizeof *lrps; k++) {
		const char *text = arena_printf(*state, "%s%s", head, lrps[k][0]);
		const struct program *ps = reassociate(*state, parse_one(*state, vp), parse_one(*state, text), NULL, REGROUP_LRP);
		assert_string_equal(ps ? instrs_of(*state, ps) : "", lrps[k][1]);
	}
}

static void test_cases(void **state)
{
	for (unsigned k = 0; k < sizeof cases / sizeof *cases; k++) {
		print_message("%s\n", cases[k].name);
		assert_string_equal(regrouped(*state, cases[k].body, cases[k].eager), cases[k].want);
	}
}

/* What is left of the old instructions is known by their numbers. */
static void test_origins(void **state)
{
	const char *text = arena_printf(*state, "%sadd r2, t0, r0\nadd r2, r2, c0\nmov oC0, r2\nmov r1, r1\n", head);
	struct program *ps = reassociate(*state, parse_one(*state, vp), parse_one(*state, text), NULL, REGROUP_PLAIN);
	assert_non_null(ps);
	static const uint32_t at[] = {0, SRCPOS_NONE, 3, 4};
	assert_int_equal(ps->instrs.n, 4);
	for (unsigned k = 0; k < 4; k++)
		assert_int_equal(ps->instrs.at[k].at, at[k]);
}

static unsigned slots_at(struct arena *a, int level, const char *body)
{
	struct move_options o = move_options_default(VS_1_1, PS_2_0);
	o.level = level;
	struct move_result *r = move_plan(a, parse_one(a, vp), parse_one(a, arena_printf(a, "%s%s", head, body)), &o);
	return program_total_slots(r->ps);
}

/* -O3 is what it finds, or -O2. */
static void test_levels(void **state)
{
	const char *sums = "mul r2, r0, r1\nadd r2, r2, t0\nadd r2, r2, c0\nmov oC0, r2\n";
	assert_int_equal(slots_at(*state, 2, sums), 5);
	assert_int_equal(slots_at(*state, 3, sums), 4);
	for (unsigned k = 0; k < sizeof cases / sizeof *cases; k++)
		assert_true(slots_at(*state, 3, cases[k].body) <= slots_at(*state, 2, cases[k].body));
}

/* Line by line: why it stays, as the lines that were given have it. */
static void test_fates(void **state)
{
	const char *text = arena_printf(*state, "%sadd r2, t0, r0\nadd r2, r2, c0\nmov oC0, r2\n", head);
	struct program *ps = parse_one(*state, text);
	struct move_options o = move_options_default(VS_1_1, PS_2_0);
	o.level = 3;
	struct move_result *r = move_plan(*state, parse_one(*state, vp), ps, &o);
	static const uint8_t want[] = {MOVE_SAMPLER, MOVE_SAMPLER, MOVE_DEPENDS, MOVE_DEPENDS, MOVE_OUTPUT};
	assert_int_equal(r->moved, 0);
	for (unsigned k = 0; k < 5; k++)
		assert_int_equal(r->fates[k].verdict, want[k]);
	assert_int_equal(r->fates[2].because, 0);
	assert_int_equal(r->fates[3].because, 2);
	for (uint32_t k = 0; k < r->ps->instrs.n; k++)
		assert_true(r->ps->instrs.at[k].at == SRCPOS_NONE || r->ps->instrs.at[k].at < strlen(text));
}

int main(void)
{
	const struct CMUnitTest tests[] = {ARENA_TEST(test_cases), ARENA_TEST(test_lrp_alone), ARENA_TEST(test_origins), ARENA_TEST(test_levels),
	                                   ARENA_TEST(test_fates)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
