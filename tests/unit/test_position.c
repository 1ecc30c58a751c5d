/* Positions to the last bit: work for oPos and a0 stays as written, and the proof sees whether it did. */
#include "pairs.h"

#include "verify/verify.h"

#define HEAD "vs_1_1\ndef c10, 1, 2, 0.5, 3\ndef c11, 2, 1, 3, -0.0\ndef c12, 0, 0, 0, 0\ndef c13, 7, 0, 0, 0\ndef c14, 1, 0, -0.0, 3\ndcl_position v0\ndcl_texcoord v1\n"
#define READ "ps_2_0\ndcl t0\ndcl t1\nadd r0, t0, t1\nmov oC0, r0\n"

static struct proof prove_vs(struct arena *a, const struct program *old, const struct program *new, bool free_position)
{
	const struct program *ps = parse_one(a, READ);
	struct proof_context context = {.free_position = free_position};
	return prove(a, (struct pair){old, ps}, (struct pair){new, ps}, &context);
}

/* --- the mover ---------------------------------------------------------------------- */

static const char *tidied(struct arena *a, const char *body, bool free_position)
{
	struct program *old = parse_one(a, arena_printf(a, HEAD "%s", body)), *new = program_copy(a, old);
	struct tidy_limits limits = {.old = old, .consts = {20, 22}, .temps = 12, .choices = true, .free_position = free_position, .regroup = true};
	struct outputs_read read = outputs_read_by(parse_one(a, READ));
	tidy_program(a, new, &read, &limits);
	struct proof proof = prove_vs(a, old, new, free_position);
	if (!proof.equal)
		fail_msg("%s\n%s", instrs_of(a, new), proof.why);
	return instrs_of(a, new);
}

/* Checks that the program becomes `want`, or `freely` if positions are free. */
static void becomes(struct arena *a, const char *body, const char *want, const char *freely)
{
	assert_string_equal(tidied(a, body, false), want);
	assert_string_equal(tidied(a, body, true), freely);
}

static void stays(struct arena *a, const char *body, const char *freely)
{
	becomes(a, body, body, freely);
}

#define OUT "mov oT0, v1\nmov oT1, v1\n"

ARENA_TEST(a_sum_of_a_product_stays_one)
{
	stays(*state, "mul r0, v0, c0\nadd oPos, r0, v0\n" OUT, "mad oPos, v0, c0, v0\n" OUT);
	stays(*state, "mul r0, v0, c0\nsub r0, v0, r0\ndp4 oPos.x, r0, c1\nmov oPos.yzw, v0\n" OUT,
	      "mad r0, -v0, c0, v0\ndp4 oPos.x, r0, c1\nmov oPos.yzw, v0\n" OUT);
}

ARENA_TEST(so_does_what_addresses)
{
	stays(*state, "mul r0.x, v1, c0\nadd r0.x, r0, v1\nmov a0.x, r0.x\nmov oPos, v0\nmov oT0, c[a0.x + 2]\nmov oT1, v1\n",
	      "mad r0.x, v1, c0, v1\nmov a0.x, r0.x\nmov oPos, v0\nmov oT0, c[a0.x + 2]\nmov oT1, v1\n");
}

ARENA_TEST(numbers_are_not_folded)
{
	stays(*state, "mul r0, v0, c10.x\nadd oPos, r0, c12\n" OUT, "mov oPos, v0\n" OUT);
}

/* Checks that a sum is not negated: -(a + b) is 0 where -a - b is -0. */
ARENA_TEST(a_sum_is_not_negated)
{
	stays(*state, "add r0, v0, c0\nmov oPos, -r0\n" OUT, "add oPos, -v0, -c0\n" OUT);
}

ARENA_TEST(interpolators_are_free_beside_it)
{
	stays(*state, "mul r0, v0, c0\nadd oPos, r0, v0\nadd oT0, r0, v0.wzyx\nmov oT1, v1\n",
	      "mad oPos, v0, c0, v0\nmad oT0, v0, c0, v0.wzyx\nmov oT1, v1\n");
	becomes(*state, "mul r0, v0, c0\nadd oPos, r0, v0\nmul r1, v1, c0\nadd oT0, r1, v1\nmov oT1, v1\n",
	        "mul r0, v0, c0\nadd oPos, r0, v0\nmad oT0, v1, c0, v1\nmov oT1, v1\n",
	        "mad oPos, v0, c0, v0\nmad oT0, v1, c0, v1\nmov oT1, v1\n");
}

static void both_become(struct arena *a, const char *body, const char *want)
{
	becomes(a, body, want, want);
}

/* Checks that tidying may still change registers, lanes, copies, sharing and the places of numbers. */
ARENA_TEST(the_rest_of_tidying_goes_on)
{
	both_become(*state, "mov r0, v0\nmul r1, r0, c0\nmov r2, r1\nmov oPos, r2\n" OUT, "mul oPos, v0, c0\n" OUT);
	becomes(*state, "mul r0.x, v0, c10.w\nmul r0.yzw, v0, c13.x\nadd oPos, r0, v0\n" OUT, "mul r0, v0, c22.xy\nadd oPos, r0, v0\n" OUT,
	        "mad oPos, v0, c22.xy, v0\n" OUT);
	both_become(*state, "m4x4 r0, v0, c0\nmov oPos, r0\nmov r1, r0\nmov oT0, r1\nmov oT1, v1\n",
	            "m4x4 r0, v0, c0\nmov oPos, r0\nmov oT0, r0\nmov oT1, v1\n");
}

/* Checks that movs are not joined by a factor 1 or a term -0, which change nothing. */
ARENA_TEST(movs_are_not_joined)
{
	stays(*state, "mov r0.xyz, v0\nmov r0.w, c10.x\nm4x4 oPos, r0, c0\n" OUT, "mad r0, v0.xyzx, c11.yyyw, c11.wwwy\nm4x4 oPos, r0, c0\n" OUT);
	stays(*state, "mul r0.xyz, v0, c10.y\nmov r0.w, v0\nm4x4 oPos, r0, c0\n" OUT, "mul r0, v0, c10.yyyx\nm4x4 oPos, r0, c0\n" OUT);
	stays(*state, "mov r0.xyz, v0\nmov r0.w, c14.z\nm4x4 oPos, r0, c0\n" OUT, "mul r0, v0.xyzx, c11.yyyw\nm4x4 oPos, r0, c0\n" OUT);
	stays(*state, "mov oPos.xyz, v0\nmov oPos.w, c5.x\n" OUT, "mov oPos.xyz, v0\nmov oPos.w, c5.x\n" OUT);
	stays(*state, "add r0.xyz, v0, c0\nmov r0.w, c10.x\nm4x4 oPos, r0, c0\n" OUT, "add r0.xyz, v0, c0\nmov r0.w, c10.x\nm4x4 oPos, r0, c0\n" OUT);
}

/* Checks that a -0 may serve as 0, and stays -0 for its own readers. */
ARENA_TEST(the_sign_of_zero_stays)
{
	both_become(*state, "max oPos, v0, c11.w\nmov r0.xyz, v1\nmov r0.w, c12.x\nm4x4 oT0, r0, c0\nmov oT1, v1\n",
	            "max oPos, v0, c11.w\nmul r0, v1.xyzx, c11.yyyw\nm4x4 oT0, r0, c0\nmov oT1, v1\n");
}

/* --- the proof ---------------------------------------------------------------------- */

static struct proof prove_bodies(struct arena *a, const char *one, const char *two, bool free_position)
{
	return prove_vs(a, parse_one(a, arena_printf(a, HEAD "%s" OUT, one)), parse_one(a, arena_printf(a, HEAD "%s" OUT, two)),
	                free_position);
}

static void same(void **state, const char *one, const char *two)
{
	struct proof p = prove_bodies(*state, one, two, false);
	if (!p.equal)
		fail_msg("%s\n%s\n%s", one, two, p.why);
}

/* Checks that two programs are equal in real numbers only, and that the message names `lane`. */
static void rounded(void **state, const char *one, const char *two, const char *lane)
{
	struct proof p = prove_bodies(*state, one, two, false);
	assert_false(p.equal);
	assert_memory_equal(p.why, lane, strlen(lane));
	assert_non_null(strstr(p.why, "last bit"));
	assert_int_equal(p.stage, STAGE_VERTEX);
	assert_true(prove_bodies(*state, one, two, true).equal);
}

ARENA_TEST(the_same_operations_pass)
{
	same(state, "mul r0, v0, c0\nadd oPos, r0, c1\n", "mov r3, c1\nmul r1, c0, v0\nadd oPos, r3, r1\n");
	same(state, "mul r0, v0, c0\nadd oPos, r0, c1\n", "mul r0.xy, v0, c0\nmul r0.zw, v0, c0\nadd oPos.w, r0, c1\nadd oPos.xyz, r0, c1\n");
	same(state, "m4x4 oPos, v0, c0\n", "dp4 r0.w, c0, v0\nmov oPos.x, r0.w\ndp4 oPos.y, v0, c1\ndp4 oPos.z, v0, c2\ndp4 oPos.w, v0, c3\n");
	same(state, "mul oPos, v0, c10.y\n", "mul oPos, v0, c11.x\n");
	same(state, "mov r0, -v0\nmul oPos, r0, c0\n", "mul oPos, -v0, c0\n");
	same(state, "add oPos, -v0, c10.y\n", "mov r0, -c11.x\nadd oPos, -v0, -r0\n");
	same(state, "sub oPos, v0, c0\n", "add oPos, -c0, v0\n");
	same(state, "mul oPos, -v0, c0\n", "mul r0, v0, c0\nmov oPos, -r0\n");
	same(state, "dp4 oPos, -v0, c0\n", "dp4 oPos, v0, -c0\n");
	same(state, "mov oPos, v0\n", "mov oPos.x, v0\nmul oPos.y, v0, c10.x\nadd oPos.z, v0, c11.w\nmad oPos.w, v0, c14.x, c14.z\n");
	same(state, "mov oPos.xyz, v0\nmov oPos.w, c10.x\n", "mad oPos, v0.xyzx, c14.xxxy, c14.zzzx\n");
	same(state, "mul oPos.xyz, v0, c10.y\nadd oPos.w, v0, c10.z\n", "mul oPos.xyz, v0, c10.y\nmad oPos.w, -v0, -c14.x, c10.z\n");
	same(state, "rcp r0.x, v0.w\nmul oPos, v0, r0.x\n", "rcp r1.z, v0.w\nmul oPos, v0, r1.z\n");
	same(state, "mul r0, v0, c0\nmov_sat oPos, r0\n", "mul_sat oPos, v0, c0\n");
	same(state, "mul r0, v0, c0\nmov_sat oPos, -r0\n", "mul_sat oPos, -v0, c0\n");
	same(state, "mov a0.x, v1.x\ndp4 oPos.x, v0, c[a0.x + 3]\nmov oPos.yzw, v0\n",
	     "mov r1.y, v1.x\nmov a0.x, r1.y\nmov r0, c[a0.x + 3]\ndp4 oPos.x, r0, v0\nmov oPos.yzw, v0\n");
}

ARENA_TEST(others_are_refuted)
{
	rounded(state, "mul r0, v0, c0\nadd oPos, r0, v0\n", "mad oPos, v0, c0, v0\n", "oPos.x ");
	rounded(state, "mad oPos, v0, c0, v0\n", "mul r0, v0, c0\nadd oPos, r0, v0\n", "oPos.x ");
	rounded(state, "mul r0, v0, c0\nadd_sat oPos, r0, v0\n", "mad_sat oPos, v0, c0, v0\n", "oPos.x ");
	rounded(state, "mov oPos, v0\n", "mov oPos.xz, v0\nmov oPos.w, v0\nadd oPos.y, v0, c12\n", "oPos.y ");
	rounded(state, "add r0, v0, c0\nadd oPos, r0, c1\n", "add r0, v0, c1\nadd oPos, r0, c0\n", "oPos.x ");
	rounded(state, "dp4 oPos, v0, c0\n", "dp4 oPos, v0.wxyz, c0.wxyz\n", "oPos.x ");
	rounded(state, "dp4 oPos, v0, c0\n", "mul r0, v0, c0\ndp4 oPos, r0, c10.x\n", "oPos.x ");
	rounded(state, "mul r0, v0, c10.y\nmul oPos, r0, c10.w\n", "mov r0.x, c10.y\nmul r0.x, r0.x, c10.w\nmul oPos, v0, r0.x\n", "oPos.x ");
	rounded(state, "add oPos, v0, v0\n", "mul oPos, v0, c10.y\n", "oPos.x ");
	rounded(state, "add r0, v0, c0\nmov oPos, -r0\n", "add oPos, -v0, -c0\n", "oPos.x ");
	rounded(state, "mul oPos, v0, c12\n", "mov oPos, c12\n", "oPos.x ");
	rounded(state, "mov oPos.xyz, v0\nmov oPos.w, c10.x\n", "mad oPos, v0.xyzx, c14.xxxy, c14.yyyx\n", "oPos.x ");
	rounded(state, "mov oPos.xyz, v0\nmov oPos.w, c14.z\n", "mad oPos, v0.xyzx, c14.xxxy, c14.z\n", "oPos.w ");
	rounded(state, "rcp r0, v0.x\nmov r0.w, c10.x\nmov oPos, r0\n", "rcp r0, v0.x\nmad oPos, r0.xyzx, c14.xxxy, c14.zzzx\n", "oPos.w ");
	rounded(state, "mov oPos, c12\n", "mov oPos, -c12\n", "oPos.x ");
	rounded(state, "mul r0.x, v1, c0\nadd r0.x, r0, v1\nmov a0.x, r0.x\nmov oPos, c[a0.x]\n",
	        "mad r0.x, v1, c0, v1\nmov a0.x, r0.x\nmov oPos, c[a0.x]\n", "a0.x ");
}

/* Checks that values for interpolators may be computed differently, except with addressed constants. */
ARENA_TEST(interpolators_are_not_compared)
{
	struct arena *a = *state;
	const char *old = HEAD "mov oPos, v0\nmov oT1, v1\nmul r0, v1, c0\nadd oT0, r0, v1\n";
	const char *new = HEAD "mov oPos, v0\nmov oT1, v1\nmad oT0, v1, c0, v1\n";
	assert_true(prove_vs(a, parse_one(a, old), parse_one(a, new), false).equal);
	const char *addressed = HEAD "mov oPos, v0\nmov oT1, v1\nmul r0.x, v1, c0\nadd r0.x, r0, v1\nmov a0.x, r0.x\nmov oT0, c[a0.x]\n";
	const char *joined = HEAD "mov oPos, v0\nmov oT1, v1\nmad r0.x, v1, c0, v1\nmov a0.x, r0.x\nmov oT0, c[a0.x]\n";
	assert_false(prove_vs(a, parse_one(a, addressed), parse_one(a, joined), false).equal);
	assert_true(prove_vs(a, parse_one(a, addressed), parse_one(a, joined), true).equal);
	const char *unused = HEAD "mov oPos, v0\nmov oT1, v1\nmov oT0, v1\nmul r0.x, v1, c0\nmov a0.x, r0.x\n";
	const char *gone = HEAD "mov oPos, v0\nmov oT1, v1\nmov oT0, v1\n";
	assert_true(prove_vs(a, parse_one(a, unused), parse_one(a, gone), false).equal);
}

/* Checks that a VP constant that the application sets to an FP constant differs from the VP's own constant of that number. */
ARENA_TEST(constants_that_are_mapped_are_others)
{
	struct arena *a = *state;
	struct program *old = parse_one(a, HEAD "mul oPos, v0, c3\n" OUT), *ps = parse_one(a, READ);
	struct const_map map = {.vs = 3, .ps = 3};
	struct proof_context context = {.consts = &map, .nconsts = 1, .free_position = true};
	assert_false(prove(a, (struct pair){old, ps}, (struct pair){old, ps}, &context).equal);
	context.free_position = false;
	assert_false(prove(a, (struct pair){old, ps}, (struct pair){old, ps}, &context).equal);
}
