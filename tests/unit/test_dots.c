/* Sums of products as dot products, and dot products in part: what is written in their place, equal by the proof; and what
 * is left alone. */
#include "move/rules/dots.h"
#include "move/cut/plan.h"
#include "pairs.h"
#include "verify/verify.h"

static const char vp[] = "vs_1_1\ndcl_position v0\ndcl_texcoord v1\ndcl_texcoord1 v2\nmov oPos, v0\nmov oT0, v1\nmov oT1, v2\n";
#define HEAD "ps_2_0\ndcl t0\ndcl t1\ndcl_2d s0\n"
#define DEFS "def c31, 0.25, 0, 1, -2\n"
#define READ "texld r0, t0, s0\n"
#define END "mul r0, r0, r1.x\nmov oC0, r0\n"

/* The instructions written anew; "" if none is. */
static const char *rewritten(struct arena *a, struct program *how(struct values *), const char *head, const char *body)
{
	const struct program *vs = parse_one(a, vp);
	struct program *ps = parse_one(a, arena_printf(a, HEAD "%s" READ "%s" END, head, body));
	struct program *new = how(values_number(a, vs, ps));
	if (!new)
		return "";
	assert_true(prove(a, (struct pair){vs, ps}, (struct pair){vs, new}, &(struct proof_context){.plain_textures = UINT_MAX}).equal);
	return instrs_of(a, new);
}

struct dots_case {
	const char *name, *head, *body, *want;
};

static void check_cases(void **state, struct program *how(struct values *), const struct dots_case *cases, size_t n)
{
	for (size_t k = 0; k < n; k++) {
		print_message("%s\n", cases[k].name);
		const char *want = *cases[k].want ? arena_printf(*state, READ "%s" END, cases[k].want) : "";
		assert_string_equal(rewritten(*state, how, cases[k].head, cases[k].body), want);
	}
}

static void test_join(void **state)
{
	static const struct dots_case cases[] = {
		{"lane by lane", "", "mul r1.x, r0.x, t1.x\nmad r1.x, r0.y, t1.y, r1.x\nmad r1.x, r0.z, t1.z, r1.x\n", "dp3 r1.x, r0, t1\n"},
		{"four lanes, turned", "",
		 "mul r1.x, r0.w, t1.x\nmad r1.x, t1.y, r0.z, r1.x\nmad r1.x, r0.y, t1.z, r1.x\nmad_sat r1.x, r0.x, t1.w, r1.x\n",
		 "dp4_sat r1.x, r0.wzyx, t1\n"},
		{"a vector's lanes, with signs", "",
		 "mul r1.xy, r0, -c0\nadd r1.x, r1.x, r1.y\nmad r1.x, -r0.z, c0.z, r1.x\n", "dp3 r1.x, -r0, c0\n"},
		{"squares of pixels", "", "mul r1.x, r0.x, r0.x\nmad r1.x, r0.y, r0.y, r1.x\nmad r1.x, r0.z, r0.z, r1.x\n", "dp3 r1.x, r0, r0\n"},
		{"what can move is put together", "",
		 "mul r1.x, r0.x, t1.z\nmad r1.x, r0.y, -t0.x, r1.x\nmul r1.y, r0.z, c0.y\nsub r1.x, r1.x, r1.y\n",
		 "mov r1.x, t1.z\nmov r1.y, -t0.x\nmov r1.z, -c0.y\ndp3 r1.x, r0, r1\n"},
		{"two squares of what can move", DEFS, "dp2add r1.x, t0, t0, c31.y\n",
		 "mov r1.x, t0.x\nmov r1.y, t0.y\nmov r1.z, c31.y\ndp3 r1.x, r1, r1\n"},
		{"of differences, subtracted, without a 0", "",
		 "add r1.xy, t0, -c0\nmul r2.xy, r1, -r1\nadd r1.x, r2.y, r2.x\n",
		 "add r1.xy, t0, -c0\nmov r2.x, r1.y\nmov r2.y, r1.x\nadd r2.z, r1.y, -r1.y\ndp3 r1.x, -r2, r2\n"},
		{"two products of pixels", "", "mul r1.x, r0.x, t1.x\nmad r1.x, r0.y, t1.y, r1.x\n", ""},
		{"two products of different values", "", "mul r1.x, t0.x, t0.y\nmad r1.x, t0.z, t0.w, r1.x\n", ""},
		{"a difference of squares", "", "mul r1.x, t0.x, t0.x\nmad r1.x, -t0.y, t0.y, r1.x\n", ""},
		{"one addend more", "", "dp2add r1.x, t0, t0, c0.y\n", ""},
		{"no swizzle for the lanes", "", "mul r1.x, r0.x, t1.x\nmad r1.x, r0.z, t1.z, r1.x\nmad r1.x, r0.y, t1.y, r1.x\n", ""},
		{"saturated on the way", "", "mul r1.x, r0.x, t1.x\nmad_sat r1.x, r0.y, t1.y, r1.x\nmad r1.x, r0.z, t1.z, r1.x\n", ""},
		{"read on the way", "",
		 "mul r1.x, r0.x, t1.x\nmad r1.y, r0.y, t1.y, r1.x\nmad r1.x, r0.z, t1.z, r1.y\nmul r0.x, r0.x, r1.y\n", ""},
		{"multiplied on the way", "", "mul r1.x, r0.x, t1.x\nmad r1.x, r1.x, t1.y, r1.x\nmad r1.x, r0.z, t1.z, r1.x\n", ""},
		{"overwritten on the way", "",
		 "mul r1.x, r0.x, t1.x\nmad r1.x, r0.y, t1.y, r1.x\nrcp r0.x, r0.x\nmad r1.x, r0.z, t1.z, r1.x\n", ""},
		{"unlike signs", "", "mul r1.x, r0.x, c0.x\nmad r1.x, -r0.y, c0.y, r1.x\nmad r1.x, r0.z, c0.z, r1.x\n", ""},
	};
	check_cases(state, dots_join, cases, sizeof cases / sizeof *cases);
}

static void test_part(void **state)
{
	static const struct dots_case cases[] = {
		{"a pixel's value in a place", DEFS, "mov r1.xy, t1\nmov r1.z, r0.x\nmov r1.w, c31.z\ndp4 r2.x, r1, c0\nmul r1.x, r2.x, r2.x\n",
		 "mov r1.xy, t1\nmov r1.z, r0.x\nmov r1.w, c31.z\nmul r1.x, r1.x, c0.x\nmad r1.x, r1.y, c0.y, r1.x\nmad r1.x, r1.w, c0.w, r1.x\n"
		 "mad r2.x, r1.z, c0.z, r1.x\nmul r1.x, r2.x, r2.x\n"},
		{"two of three", "", "mov r0.y, t1\ndp3_sat r1.x, -c0, r0\n",
		 "mov r0.y, t1\nmul r1.x, -c0.y, r0.y\nmad r1.x, -c0.x, r0.x, r1.x\nmad_sat r1.x, -c0.z, r0.z, r1.x\n"},
		{"all can move", "", "dp3 r1.x, t1, c0\n", ""},
		{"none can", "", "dp3 r1.x, r0, c0\n", ""},
		{"products of two that can", "", "mov r0.y, t1\ndp3 r1.x, t1, r0\n", ""},
		{"three of four stay", "", "mov r0.y, t1\ndp4 r1.x, c0, r0\n", ""},
	};
	check_cases(state, dots_part, cases, sizeof cases / sizeof *cases);
}

/* Each instruction knows which one it stands for. */
static void test_origins(void **state)
{
	struct program *ps = parse_one(*state, HEAD DEFS READ "dp2add r1.x, t0, t0, c31.y\n" END);
	struct program *new = dots_join(values_number(*state, parse_one(*state, vp), ps));
	static const uint32_t at[] = {0, SRCPOS_NONE, SRCPOS_NONE, SRCPOS_NONE, 1, 2, 3};
	assert_int_equal(new->instrs.n, 7);
	for (unsigned k = 0; k < 7; k++)
		assert_int_equal(new->instrs.at[k].at, at[k]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		ARENA_TEST(test_join),
		ARENA_TEST(test_part),
		ARENA_TEST(test_origins),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
