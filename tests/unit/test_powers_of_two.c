/* Powers of two pushed elsewhere: the text written, equal by the proof, and cases left alone. */
#include "move/rules/rules.h"
#include "move/plan/plan.h"
#include "pairs.h"
#include "verify/verify.h"

static const char vp[] = "vs_1_1\ndcl_position v0\ndcl_texcoord v1\ndcl_texcoord1 v2\nmov oPos, v0\nmov oT0, v1\nmov oT1, v2\n";
#define HEAD "ps_2_0\ndef c31, 0.25, 0, 3, -2\ndcl t0\ndcl t1\ndcl_2d s0\ndcl_2d s1\n"
#define READ "texld r0, t0, s0\ntexld r1, t1, s1\ntexld r2, t1, s0\n"
#define END "mov oC0, r0\n"

ARENA_TEST(test_cases)
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
		{"side by side", "mul r0, r0, c1\nadd r0, r0, r0\n", "mov r1, c1\nadd r1, r1, r1\nmul r0, r0, r1\nmov r0, r0\n"},
		{"side by side, behind", "add r0, r0, r0\nmul r0, r0, c1\n", "mov r0, r0\nmov r1, c1\nadd r1, r1, r1\nmul r0, r0, r1\n"},
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
		struct program *new = variant_written(*state, variant_scales, vs, ps, NULL);
		const char *want = *cases[k].want ? arena_printf(*state, READ "%s" END, cases[k].want) : "";
		assert_string_equal(new ? instrs_of(*state, new) : "", want);
	}
}

static const char plain_vp[] = "vs_1_1\ndcl_position v0\ndcl_texcoord v1\nmov oPos, v0\nmov oT0, v1\nmov oT1, v0\n";
#define PLAIN_HEAD "ps_2_0\ndcl t0\ndcl t1\ndcl_2d s0\ndef c31, 2, 0, -1, 0.5\n"
#define PLAIN_READ "texld r0, t0, s0\n"
#define PLAIN_END "mov oC0, r1\n"

/* Returns the instructions, or "" if nothing changes. */
static const char *pushed(struct arena *a, const char *body, bool drop_in)
{
	const struct program *vs = parse_one(a, plain_vp);
	struct program *ps = parse_one(a, arena_printf(a, PLAIN_HEAD PLAIN_READ "%s" PLAIN_END, body));
	struct move_options options = move_options_default(VS_1_1, PS_2_0);
	options.drop_in = drop_in;
	struct program *new = variant_written(a, variant_scales, vs, ps, &options);
	return new ? instrs_of(a, new) : "";
}

ARENA_TEST(test_written)
{
	static const char *const cases[][2] = {
		/* through a maximum to the vector that can move */
		{"dp3 r1.x, r0, t1\nmax r1.x, r1.x, c31.y\nadd r1, r1.x, r1.x\n",
		 "mov r1.xyz, t1\nadd r1.xyz, r1, r1\ndp3 r1.x, r0, r1\nmax r1.x, r1.x, c31.y\nmov r1, r1.x\n"},
		/* to a constant, not to the sum before it */
		{"mad r0.xyz, r0, c31.x, c31.z\ndp3 r1.x, r0, c0\nmul r1, r1.x, c31.x\n",
		 "mad r0.xyz, r0, c31.x, c31.z\nmov r1.xyz, c0\nmul r1.xyz, r1, c31.x\ndp3 r1.x, r0, r1\nmov r1, r1.x\n"},
		/* forward, to the factors of all its readers */
		{"add r0.xyz, r0, r0\nmul r1, r0.x, t1\nmad r1, r0.y, t1, r1\n",
		 "mov r0.xyz, r0\nmov r1, t1\nadd r1, r1, r1\nmul r1, r0.x, r1\nmov r2, t1\nadd r2, r2, r2\nmad r1, r0.y, r2, r1\n"},
		/* two readers with the same factor */
		{"dp3 r1.x, r0, t1\nadd r2, r1.x, r1.x\nadd r1.x, r1.x, r1.x\nmul r1, r1.x, r2\n",
		 "mov r1.xyz, t1\nadd r1.xyz, r1, r1\ndp3 r1.x, r0, r1\nmov r2, r1.x\nmov r1.x, r1.x\nmul r1, r1.x, r2\n"},
		/* a factor that cancels another, and one that cannot be doubled twice */
		{"mul r0.xyz, r0, c31.w\nmul r1, r0.x, c31.x\n", "mov r0.xyz, r0\nmov r1.x, c31\nmul r1.x, r1, c31.w\nmul r1, r0.x, r1.x\n"},
		{"mul r0.xyz, r0, c31.x\nmul r1, r0.x, t1\nmul r1, r1, c31.x\n",
		 "mov r0.xyz, r0\nmov r1, t1\nmul r1, r1, c31.x\nmov r1, r1\nmul r1, r1, c31.x\nmul r1, r0.x, r1\nmov r1, r1\n"},
		/* in a sum, through the maximum of an interpolated value */
		{"max r2.x, t1.y, c31.y\nmul r1.x, r2.x, r0.w\nmad r1, r1.x, -c31.x, r0\n",
		 "mov r1.y, t1\nmul r1.y, r1, c31.x\nmax r2.x, r1.y, c31.y\nmul r1.x, r2.x, r0.w\nadd r1, -r1.x, r0\n"},
		/* the addend is no product, and the factor is the multiplied value, too */
		{"mul r2, r0, t1\nmad r1, r0, c31.x, r2\n", ""},
		{"mul r2, r0, t1\nmad r1, r2, c31.x, r2\n", ""},
		/* two readers on the way to the movable value */
		{"mul r2.x, r0.w, t1.x\nlrp r1, r0.x, r2.x, -r2.x\nmul r1, r1, c31.x\n",
		 "mov r1.x, t1\nmul r1.x, r1, c31.x\nmul r2.x, r0.w, r1.x\nlrp r1, r0.x, r2.x, -r2.x\nmov r1, r1\n"},
		{"mul r2.x, r0.w, t1.x\nlrp r1, r2.x, r2.x, -r2.x\nmul r1, r1, c31.x\n", ""},
		/* one factor follows another */
		{"add r0.xyz, r0, r0\nmul r2.xyz, r0.w, t1\ndp3 r1.x, r0, r2\nmad r1, r1.x, c31.w, c31.w\n",
		 "mov r0.xyz, r0\nmov r1.xyz, t1\nadd r1.xyz, r1, r1\nmov r1.xyz, r1\nmul r1.xyz, r1, c31.w\n"
		 "mul r2.xyz, r0.w, r1\ndp3 r1.x, r0, r2\nadd r1, r1.x, c31.w\n"},
		/* a factor common to all addends goes to a sum or a movable value, unless one addend lacks it or has another reader */
		{"mul r1, r0.w, r0\nmul r1, r1, c31.x\nmul r2, r0.x, r0\nmad r2, r2, c31.x, -r1\nmad r1, r0.y, r2, r1\nadd r1, r0, -r1\n",
		 "mul r1, r0.w, r0\nmov r1, r1\nmul r2, r0.x, r0\nadd r2, r2, -r1\nmad r1, r0.y, r2, r1\nmad r1, -r1, c31.x, r0\n"},
		{"mul r1, r0.w, r0\nmul r1, r1, c31.x\nmul r2, r0.x, r0\nmul r2, r2, c31.x\ncmp r1, r0.y, r2, r1\nmad r1, r1, t1, r0\n",
		 "mul r1, r0.w, r0\nmov r1, r1\nmul r2, r0.x, r0\nmov r2, r2\ncmp r1, r0.y, r2, r1\nmov r2, t1\n"
		 "mul r2, r2, c31.x\nmad r1, r1, r2, r0\n"},
		{"mul r1, r0.w, r0\nmul r1, r1, c31.x\nmul r2, r0.x, r0\nlrp r1, r0.y, r2, r1\nadd r1, r0, r1\n", ""},
		{"mul r1, r0.w, r0\nmul r1, r1, c31.x\nmul r2, r0.x, r0\nmad r2, r2, c31.x, -r1\nmad r2, r0.y, r2, r1\nadd r2, r0, r2\nmul r1, r1, r2\n", ""},
		/* another instruction doubles it beside lanes of other writers */
		{"dp3 r0.x, r0, t1\nadd r1.x, r0, r0\nadd r0, r0, r0\nadd r1, r0, r1.x\n", ""},
		/* these stay: another reader of the old value, a square, a clamp between, a literal bound, or no place to go */
		{"dp3 r1.x, r0, t1\nadd r0.x, r1.x, r1.x\nadd r1, r1.x, r0.x\n", ""},
		{"add r1.x, r0.x, r0.x\nmul r1, r1.x, r1.x\n", ""},
		{"dp3_sat r1.x, r0, t1\nadd r1, r1.x, r1.x\n", ""},
		{"dp3 r1.x, r0, t1\nmin r1.x, r1.x, c31.x\nadd r1, r1.x, r1.x\n", ""},
		{"mul r1.x, r0.x, r0.y\nadd r1, r1.x, r1.x\n", ""},
		{"dp3 r1.x, r0, t1\nmul r1, r1.x, c31.z\n", ""},
	};
	for (unsigned k = 0; k < sizeof cases / sizeof *cases; k++) {
		const char *want = *cases[k][1] ? arena_printf(*state, PLAIN_READ "%s" PLAIN_END, cases[k][1]) : "";
		assert_string_equal(pushed(*state, cases[k][0], false), want);
	}
	assert_string_equal(pushed(*state, "mul r1.x, r0.x, c0.x\nadd r1, r1.x, r1.x\n", true), "");
	assert_string_not_equal(pushed(*state, "mul r1.x, r0.x, c0.x\nadd r1, r1.x, r1.x\n", false), "");
}

/* Checks that the plan has no doubling left. */
ARENA_TEST(test_slots)
{
	struct move_options options = move_options_default(VS_1_1, PS_2_0);
	options.level = 2;
	options.drop_in = true;
	struct program *ps = parse_one(*state, PLAIN_HEAD PLAIN_READ "mad r0.xyz, r0, c31.x, c31.z\ndp3 r1.x, r0, c0\nmax r1.x, r1.x, c31.y\n"
	                                       "mul r1, r1.x, c1\nadd r1, r1, r1\n" PLAIN_END);
	assert_int_equal(program_total_slots(move_plan(*state, parse_one(*state, plain_vp), ps, &options)->ps), 6);
}
