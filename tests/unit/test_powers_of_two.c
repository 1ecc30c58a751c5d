/* Powers of two that go to what can move: what is written, equal by the proof, and what is left alone. */
#include "move/rules/powers_of_two.h"
#include "pairs.h"
#include "verify/verify.h"

static const char vp[] = "vs_1_1\ndcl_position v0\ndcl_texcoord v1\ndcl_texcoord1 v2\nmov oPos, v0\nmov oT0, v1\nmov oT1, v2\n";
#define HEAD "ps_2_0\ndef c31, 0.25, 0, 3, -2\ndcl t0\ndcl t1\ndcl_2d s0\ndcl_2d s1\n"
#define READ "texld r0, t0, s0\ntexld r1, t1, s1\ntexld r2, t1, s0\n"
#define END "mov oC0, r0\n"

static void test_cases(void **state)
{
	static const struct {
		const char *name, *body, *want;
	} cases[] = {
		{"products behind", "add r2, r2, r2\nmul r0, r0, r2\nmul r0, r0, r1\nmul r0, r0, c1\n",
		 "mov r2, r2\nmul r0, r0, r2\nmul r0, r0, r1\nmov r1, c1\nadd r1, r1, r1\nmul r0, r0, r1\n"},
		{"a product beside, with numbers", "mul r2, r2, c31.x\nmul r1, r1, t0\nmad_sat r0, r1, r2, r0\n",
		 "mov r2, r2\nmov r3, t0\nmul r3, r3, c31.x\nmul r1, r1, r3\nmad_sat r0, r1, r2, r0\n"},
		{"products before", "mul r1, r1, -c1\nmul r0, r0, r1\nadd r0, r0, r0\n",
		 "mov r2, c1\nadd r2, r2, r2\nmul r1, r1, -r2\nmul r0, r0, r1\nmov r0, r0\n"},
		{"into a sum", "add r2, r2, r2\nmad r0, r2, c1, r0\n", "mov r2, r2\nmov r1, c1\nadd r1, r1, r1\nmad r0, r2, r1, r0\n"},
		{"a dot product", "add r2, r2, r2\ndp3 r2.x, r2, r1\nmul r0, r0, r2.x\nmul r0, r0, t0.w\n",
		 "mov r2, r2\ndp3 r2.x, r2, r1\nmul r0, r0, r2.x\nmov r1.w, t0\nadd r1.w, r1, r1\nmul r0, r0, r1.w\n"},
		{"side by side", "mul r0, r0, c1\nadd r0, r0, r0\n", ""},
		{"side by side, behind", "add r0, r0, r0\nmul r0, r0, c1\n", ""},
		{"no power of two", "mul r2, r2, c31.z\nmul r0, r0, r2\nmul r0, r0, c1\n", ""},
		{"unlike powers", "mul r2, r2, c31\nmul r0, r0, r2\nmul r0, r0, c1\n", ""},
		{"saturated", "add_sat r2, r2, r2\nmul r0, r0, r2\nmul r0, r0, c1\n", ""},
		{"saturated on the way", "add r2, r2, r2\nmul_sat r0, r0, r2\nmul r0, r0, c1\n", ""},
		{"read elsewhere", "add r2, r2, r2\nmul r0, r0, r2\nmul r0, r0, c1\nadd r0, r0, r2\n", ""},
		{"a lane that is not doubled", "add r2.xyz, r2, r2\nmul r0, r0, r2\nmul r0, r0, c1\n", ""},
		{"behind a sum", "add r2, r2, r2\nmad r0, r1, r2, r0\nmul r0, r0, c1\n", ""},
		{"squared", "add r2, r2, r2\nmul r2, r2, r2\nmul r0, r2, c1\n", ""},
		{"nothing can move", "add r2, r2, r2\nmul r0, r0, r2\nmul r0, r0, r1\n", ""},
	};
	for (unsigned k = 0; k < sizeof cases / sizeof *cases; k++) {
		print_message("%s\n", cases[k].name);
		const struct program *vs = parse_one(*state, vp);
		struct program *ps = parse_one(*state, arena_printf(*state, HEAD READ "%s" END, cases[k].body));
		struct program *new = push_scales(*state, vs, ps);
		const char *want = *cases[k].want ? arena_printf(*state, READ "%s" END, cases[k].want) : "";
		assert_string_equal(new ? instrs_of(*state, new) : "", want);
		if (new)
			assert_true(prove(*state, (struct pair){vs, ps}, (struct pair){vs, new}, &(struct proof_context){.plain_textures = UINT_MAX}).equal);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {ARENA_TEST(test_cases)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
