/* Gathered constants: what is written in the place of lanes that read different ones, equal by the proof; and what is
 * left alone. */
#include "move/rules/gather.h"
#include "move/cut/plan.h"
#include "pairs.h"
#include "verify/verify.h"

static const char vp[] = "vs_1_1\ndcl_position v0\ndcl_texcoord v1\nmov oPos, v0\nmov oT0, v1\n";
#define HEAD "ps_2_0\ndcl t0\ndcl_2d s0\n"
#define DEFS "def c31, 0.25, 0, 1, -2\n"
#define READ "texld r0, t0, s0\n"
#define END "texld r1, r1, s0\nmov oC0, r1\n"

/* The instructions with gathered constants; "" if there are none. */
static const char *gathered(struct arena *a, const char *head, const char *body, bool drop_in)
{
	const struct program *vs = parse_one(a, vp);
	struct program *ps = parse_one(a, arena_printf(a, HEAD "%s" READ "%s" END, head, body));
	struct program *new = gather_constants(values_number(a, vs, ps), drop_in);
	if (!new)
		return "";
	struct proof proof = prove(a, (struct pair){vs, ps}, (struct pair){vs, new}, &(struct proof_context){.plain_textures = UINT_MAX});
	assert_true(proof.equal);
	return instrs_of(a, new);
}

struct gather_case {
	const char *name, *head, *body, *want;
};

static const struct gather_case cases[] = {
	{"a step in one lane", DEFS, "add r1.x, r0, c0.z\nmov r1.y, r0\n",
	 "mov r1.x, c0.z\nmov r1.y, c31.y\nadd r1.xy, r0, r1\n"},
	{"the mov first, no def with 0", "", "mov r1.x, r0\nadd r1.y, r0, -c0.w\n",
	 "add r1.x, c0.w, -c0.w\nmov r1.y, -c0.w\nadd r1.xy, r0, r1\n"},
	{"differences", DEFS, "sub r1.x, r0, c0.z\nadd r1.y, c1.x, r0\n",
	 "mov r1.x, -c0.z\nmov r1.y, c1.x\nadd r1.xy, r0, r1\n"},
	{"factors", DEFS, "mul r1.x, r0, c0.z\nmul r1.y, c1.w, r0\n",
	 "mov r1.x, c0.z\nmov r1.y, c1.w\nmul r1.xy, r0, r1\n"},
	{"a factor beside a mov", DEFS, "mul r1.x, r0, c0.z\nmov r1.y, r0\n",
	 "mov r1.x, c0.z\nmov r1.y, c31.z\nmul r1.xy, r0, r1\n"},
	{"factors and steps", DEFS, "mad r1.x, r0, c0.z, c0.w\nmad r1.y, r0, c1.z, c0.x\n",
	 "mov r1.x, c0.z\nmov r1.y, c1.z\nmov r2.x, c0.w\nmov r2.y, c0.x\nmad r1.xy, r0, r1, r2\n"},
	{"the constants are one register's", DEFS, "mad r1.x, r0, c0.x, c1.x\nmad r1.y, r0, c0.y, c2.y\n",
	 "mov r1.x, c1.x\nmov r1.y, c2.y\nmad r1.xy, r0, c0, r1\n"},
	{"three lanes", DEFS, "add r1.x, r0, c0.z\nadd r1.y, r0, c1.z\nmov r1.z, r0\n",
	 "mov r1.x, c0.z\nmov r1.y, c1.z\nmov r1.z, c31.y\nadd r1.xyz, r0, r1\n"},
	{"the same constants twice", DEFS, "add r1.x, r0, c0.z\nmov r1.y, r0\nadd r2.x, r1, c0.z\nmov r2.y, r1\nadd r1.xy, r1, r2\n",
	 "mov r2.x, c0.z\nmov r2.y, c31.y\nadd r1.xy, r0, r2\nadd r2.xy, r1, r2\nadd r1.xy, r1, r2\n"},
	{"of some of them, one more lane", DEFS,
	 "add r1.x, r0, c0.z\nadd r1.y, r0, c1.z\nadd r2.x, r0, c0.z\nadd r2.y, r0, c1.z\nadd r2.z, r0, c1.z\nadd r1.xy, r1, r2.z\nadd r1.xy, r1, r2\n",
	 "mov r1.x, c0.z\nmov r1.y, c1.z\nadd r1.xy, r0, r1\nmov r2.x, c0.z\nmov r2.y, c1.z\nmov r2.z, c1.z\nadd r2.xyz, r0, r2\nadd r1.xy, r1, r2.z\nadd r1.xy, r1, r2\n"},
	{"another register holds what is moved", DEFS, "mul r1.x, r0, c0.x\nmov r1.y, t0\nadd r2.x, r1, c31.x\nmov r2.y, t0\nadd r1.xy, r1, r2\n",
	 "mul r1.x, r0, c0.x\nmov r1.y, t0\nadd r2.xy, r1, c31\nadd r1.xy, r1, r2\n"},
	{"a copy of a copy", DEFS, "mov r1.y, r0\nmul r1.x, r0.z, r0.z\nadd r2.x, r1, c0.z\nmov r2.y, r0\nadd r1.xy, r1, r2\n",
	 "mov r1.y, r0\nmul r1.x, r0.z, r0.z\nmov r0.x, c0.z\nmov r0.y, c31.y\nadd r2.xy, r1, r0\nadd r1.xy, r1, r2\n"},
	{"a mov that is no more when what it brings is read", DEFS,
	 "mov r2.w, r1\nmov r2.y, t0\nsub r2.y, r2, c0\nmad r1.zw, r2, c1, r1\nadd r1.xy, r0, r1\n", ""},
	{"saturated", DEFS, "add_sat r1.x, r0, c0.z\nmov_sat r1.y, r0\n",
	 "mov r1.x, c0.z\nmov r1.y, c31.y\nadd_sat r1.xy, r0, r1\n"},
	{"bounds", DEFS, "min r1.x, r0, c0.x\nmin r1.y, c1.z, r0\n",
	 "mov r1.x, c0.x\nmov r1.y, c1.z\nmin r1.xy, r0, r1\n"},
	{"choices", DEFS, "cmp r1.x, r0, c0.x, -c0.y\ncmp r1.y, r0, c1.z, r0.z\n", ""},
	{"choices of two constants", DEFS, "cmp r1.x, r0, c0.x, c0.y\ncmp r1.y, r0, c1.z, c1.w\n",
	 "mov r1.x, c0.x\nmov r1.y, c1.z\nmov r2.x, c0.y\nmov r2.y, c1.w\ncmp r1.xy, r0, r1, r2\n"},
	{"copies of constants", DEFS, "mov r2.x, c0.x\nmov r3.y, -c0\nmad r1.x, r0, c1.x, r2.x\nmad r1.y, r0, c1.y, -r3.y\n",
	 "mov r2.x, c0.x\nmov r3.y, -c0\nmov r1.x, c0.x\nmov r1.y, c0.y\nmad r1.xy, r0, c1, r1\n"},
	{"a bound and a sum", DEFS, "min r1.x, r0, c0.x\nadd r1.y, c1.z, r0\n", ""},
	{"another bound", DEFS, "min r1.x, r0, c0.x\nmax r1.y, c1.z, r0\n", ""},
	{"lanes of one interpolator", DEFS, "add r1.x, r0, t0.z\nadd r1.y, t0.w, r0.z\n", ""},
	{"lanes of one interpolator in place", DEFS, "add r1.x, r0, t0.w\nadd r1.y, t0.z, r0\n", "add r1.xy, r0, t0.wzyx\n"},
	{"no 1 for a mov", "", "mul r1.x, r0, c0.z\nmov r1.y, r0\n", ""},
	{"numbers are for tidying", DEFS, "add r1.x, r0, c31.x\nmov r1.y, r0\n", ""},
	{"a constant that has them in place", DEFS, "add r1.x, r0, c0.x\nadd r1.y, r0, c0.y\n", ""},
	{"what can move as it is", DEFS, "add r1.x, t0, c0.z\nadd r1.y, t0, c1.w\n", ""},
	{"what can move from a temporary", DEFS, "mov r2, t0\nadd r1.x, r2, c0.z\nadd r1.y, r2, c1.w\n", ""},
	{"two registers", DEFS, "mul r2, r0, r0\nadd r1.x, r0, c0.z\nmov r1.y, r2\n", ""},
	{"a saturated copy is another value", DEFS, "mul r1.x, r0, c0.x\nmov_sat r1.y, r0\nadd_sat r2.x, r1, c0.z\nmov_sat r2.y, r0\nadd r1.xy, r1, r2\n", ""},
	{"a saturated constant is saturated once", DEFS,
	 "mul r1.x, r0, c0.x\nmov r3.y, c0.y\nmov_sat r1.y, r3\nadd_sat r2.x, r1, c0.z\nmov_sat r2.y, r3\nadd r1.xy, r1, r2\n", ""},
	{"negated", DEFS, "add r1.x, r0, c0.z\nmov r1.y, -r0\n", ""},
	{"no swizzle for the lanes", DEFS, "add r1.x, r0.y, c0.z\nmov r1.y, r0.w\n", ""},
	{"read in between", DEFS, "add r1.x, r0, c0.z\nmov r1.y, r0.z\nadd r0.y, r1.x, r0\nadd r1.y, r0.y, c1.z\n", ""},
};

static void test_cases(void **state)
{
	for (unsigned k = 0; k < sizeof cases / sizeof *cases; k++) {
		print_message("%s\n", cases[k].name);
		const char *want = *cases[k].want ? arena_printf(*state, READ "%s" END, cases[k].want) : "";
		assert_string_equal(gathered(*state, cases[k].head, cases[k].body, false), want);
	}
}

static void test_drop_in(void **state)
{
	assert_string_equal(gathered(*state, DEFS, "add r1.x, r0, c0.z\nmov r1.y, r0\n", true), "");
}

/* Each instruction knows which one it stands for. */
static void test_origins(void **state)
{
	struct program *ps = parse_one(*state, HEAD DEFS READ "add r1.x, r0, c0.z\nmov r1.y, r0\n" END);
	struct program *new = gather_constants(values_number(*state, parse_one(*state, vp), ps), false);
	static const uint32_t at[] = {0, SRCPOS_NONE, SRCPOS_NONE, 1, 3, 4};
	assert_int_equal(new->instrs.n, 6);
	for (unsigned k = 0; k < 6; k++)
		assert_int_equal(new->instrs.at[k].at, at[k]);
}

/* Products and sums that are no mad for their constants; "" if there are none. */
static const char *added(struct arena *a, const char *body, bool drop_in)
{
	static const char two[] = "vs_1_1\ndcl_position v0\ndcl_texcoord v1\nmov oPos, v0\nmov oT0, v1\nmov oT1, v0\nmov oT2, v0.w\n";
	const struct program *vs = parse_one(a, two);
	struct program *ps = parse_one(a, arena_printf(a, HEAD "dcl t1\ndcl t2\n" DEFS READ "%s" END, body));
	struct program *new = gather_addends(a, ps, drop_in);
	if (!new)
		return "";
	assert_true(prove(a, (struct pair){vs, ps}, (struct pair){vs, new}, &(struct proof_context){.plain_textures = UINT_MAX}).equal);
	return instrs_of(a, new);
}

static void test_addends(void **state)
{
	static const char *const addends[][2] = {
		{"mul r1.xy, r0, c0\nadd r1.xy, r1, c1\n", "mov r31.xy, c1\nmad r1.xy, r0, c0, r31\n"},
		{"mul r1, c0, r0\nsub r1.xy, c1.wzyx, r1\n", "mov r31.zw, c1\nmad r1.xy, -c0, r0, r31.wzyx\n"},
		{"mul r1.xy, r0, t1\nadd r1.xy, r1, t2.w\n", "mov r31.w, t2\nmad r1.xy, r0, t1, r31.w\n"},
		{"mul r1.xy, r0, c0\nadd_sat r1.xy, r1, c31.x\nmul r1.xy, r1, c1\nadd r1.xy, r1, c2\n",
		 "mov r31.x, c31\nmad_sat r1.xy, r0, c0, r31.x\nmov r30.xy, c2\nmad r1.xy, r1, c1, r30\n"},
		{"mul r1.xy, r0, c0\nadd r1.xy, r1, c0.wzyx\n", ""},      /* tidying's */
		{"mul_sat r1.xy, r0, c0\nadd r1.xy, r1, c1\n", ""},
		{"mul r1.xy, r0, c0\nadd r2.xy, r1, c1\nmad r1.xy, r2, r2, r1\n", ""},
		{"mul r1.xy, r0, t1\nadd r1.xy, r1, c1\n", ""},
		{"mul r1.xy, r0, c0\nmov r0.y, c1.x\nadd r1.xy, r1, c1\n", ""},
	};
	for (unsigned k = 0; k < sizeof addends / sizeof *addends; k++) {
		const char *want = *addends[k][1] ? arena_printf(*state, READ "%s" END, addends[k][1]) : "";
		assert_string_equal(added(*state, addends[k][0], false), want);
	}
	assert_string_equal(added(*state, addends[0][0], true), "");
	assert_string_not_equal(added(*state, addends[2][0], true), "");
}

static unsigned slots_at(struct arena *a, int level, const char *vertex, const char *body)
{
	struct move_options options = move_options_default(VS_1_1, PS_2_0);
	options.level = level;
	options.free_ties = true; /* a colour's alpha, too, is multiplied by what is gathered */
	return program_total_slots(move_plan(a, parse_one(a, vertex), parse_one(a, body), &options)->ps);
}

static void test_slots(void **state)
{
	/* The four texels around a computed coordinate, 1 / width in c0.z, 1 / height in c0.w. */
	static const char four[] = HEAD READ "mul r1.x, r0, c0.z\nmul r1.y, r0, c0.w\n"
		"add r2.x, r1, c0.z\nmov r2.y, r1\nmov r3.x, r1\nadd r3.y, r1, c0.w\nadd r4.x, r1, c0.z\nadd r4.y, r1, c0.w\n"
		"texld r1, r1, s0\ntexld r2, r2, s0\ntexld r3, r3, s0\ntexld r4, r4, s0\n"
		"add r1, r1, r2\nadd r3, r3, r4\nadd r1, r1, r3\nmov oC0, r1\n";
	assert_int_equal(slots_at(*state, 2, vp, four), 13);
	assert_int_equal(slots_at(*state, 2, vp, HEAD READ "mul r1, r0, c0\nadd r1, r1, c1\nmov oC0, r1\n"), 3);
	/* No dearer where no interpolator is free. */
	static const char full[] = "vs_1_1\ndcl_position v0\nmov oPos, v0\nmov oT0, v0\nmov oT1, v0\nmov oT2, v0\nmov oT3, v0\n";
	assert_true(slots_at(*state, 2, full, four) <= 17);
	for (unsigned k = 0; k < sizeof cases / sizeof *cases; k++) {
		const char *body = arena_printf(*state, HEAD "%s" READ "%s" END, cases[k].head, cases[k].body);
		assert_true(slots_at(*state, 2, vp, body) <= slots_at(*state, 1, vp, body));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		ARENA_TEST(test_cases),
		ARENA_TEST(test_drop_in),
		ARENA_TEST(test_origins),
		ARENA_TEST(test_addends), ARENA_TEST(test_slots),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
