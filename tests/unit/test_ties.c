/* Ties: constant values on which a pixel program decides.  No interpolator brings them without --free-ties, and the proof refuses a
 * pair in which one does. */
#include "pairs.h"

#include "lang/link.h"
#include "move/graph/ties.h"
#include "verify/interp.h"

#define QUAD "vs_1_1\ndcl_position v0\ndcl_texcoord v1\nmov oPos, v0\nmov oT0, v1\n"
#define HEAD "ps_2_0\ndef c7, 0.5, 1, 0.25, 2\ndcl t0\ndcl_2d s0\ntexld r0, t0, s0\n"

struct tie {
	const char *what, *body;
};

/* r1.x, or more of r1, is made of constants alone and decides. */
static const struct tie tied[] = {
	{"texkill", "rcp r1.x, c0.x\nsub r2, r0, r1.x\ntexkill r2\nmov oC0, r0\n"},
	{"texkill, through a product of texels", "mul r1.x, c0.x, c0.y\nadd r2.xyz, r0, -r1.x\nmul r2.xyz, r2, r0.w\ntexkill r2\nmov oC0, r0\n"},
	{"cmp", "rcp r1.x, c0.x\nsub r2, r0, r1.x\ncmp r2.xyz, r2, r0, t0\nmov r2.w, r0.w\nmov oC0, r2\n"},
	{"frc", "rcp r1.x, c0.x\nadd r2, r0, r1.x\nfrc r2.xyz, r2\nmov oC0, r2.xyzz\n"},
	{"alpha test", "rcp r1.x, c0.x\nmul r0, r0, r1.x\nmov oC0, r0\n"},
	{"depth test", "rcp r1.x, c0.x\nmul r2.x, r0, r1.x\nmov oC0, r0\nmov oDepth, r2.x\n"},
	{"literal, bias", "mov r1.xyz, t0\nadd r1.xyz, r1, c0\nmov r1.w, c7.x\ntexldb r2, r1, s0\nmul r0, r0, r2\nmov oC0, r0\n"},
	{"literal, divisor", "add r1.xyz, t0, c0\nmov r1.w, c7.w\ntexldp r2, r1, s0\nmul r0, r0, r2\nmov oC0, r0\n"},
	{"literal, texel", "mul r1.xy, c7.x, c7.zwzw\ntexld r2, r1, s0\nmul r0, r0, r2\nmov oC0, r0\n"},
	{"clamps decide nothing, but what follows does", "rcp r1.x, c0.x\nadd_sat r2, r0, r1.x\nmax r2, r2, r0\nadd r2, r2, -r0.w\ntexkill r2\nmov oC0, r0\n"},
	{"beside what cancels", "sub r2.x, t0.x, t0.x\ndp2add r1.x, c0, c0, r2.x\nsub r2, r0, r1.x\ntexkill r2\nmov oC0, r0\n"},
	{"times a product of inputs", "rcp r1.x, c0.x\nmul r2.xyz, t0, t0.y\nmad r2.xyz, r2, r0, -r1.x\ntexkill r2\nmov oC0, r0\n"},
};

/* Quotients of two multiples of one value: r1 holds the multiples. */
static const struct tie quotients[] = {
	{"texldp", "mul r1, t0.x, c0\ntexldp r0, r1, s0\nmov oC0, r0\n"},
	{"texldp, of a sum", "add r2.x, t0.x, c1.x\nmul r1, r2.x, c7.zyxy\nmul r1.x, r1.x, c0.x\ntexldp r0, r1, s0\nmov oC0, r0\n"},
	{"rcp", "mul r1, t0.x, c0\nrcp r1.w, r1.w\nmul r1.xy, r1, r1.w\ntexld r0, r1, s0\nmov oC0, r0\n"},
	{"rcp, in a product with a texel", "mul r1, t0.x, c0\nrcp r1.w, r1.w\nmul r2, r0, r1.w\nmov r2.w, -r2.w\nmad r0, r2, r1.x, r0\nmov oC0, r0\n"},
	{"nrm", "mul r1, t0.x, c0\nnrm r2.xyz, r1\nmad r0.xyz, r2, r0.x, r0\nmov oC0, r0\n"},
};

/* The operands depend on different inputs or have an offset, or both have the same digits. */
static const struct tie other_quotients[] = {
	{"of two inputs", "mul r1, t0, c0\ntexldp r0, r1, s0\nmov oC0, r0\n"},
	{"of one and the same", "mul r1, t0.x, c0.x\ntexldp r0, r1, s0\nmov oC0, r0\n"},
	{"of powers of two", "mul r1, t0.x, c7\ntexldp r0, r1, s0\nmov oC0, r0\n"},
	{"shifted", "mul r1, t0.x, c0\nadd r1.xy, r1, c1\ntexldp r0, r1, s0\nmov oC0, r0\n"},
	{"nrm", "mul r1, t0.x, c0\nmov r1.x, t0.y\nnrm r2.xyz, r1\nmad r0.xyz, r2, r0.x, r0\nmov oC0, r0\n"},
};

/* Nothing decides by these values, or interpolation made them inexact before. */
static const struct tie free_ones[] = {
	{"colour", "rcp r1.x, c0.x\nmul r0.xyz, r0, r1.x\nmov oC0, r0\n"},
	{"what cmp chooses", "rcp r1.x, c0.x\nmul r2.xyz, r0, r1.x\ncmp r0.xyz, t0, r2, r0\nmov oC0, r0\n"},
	{"texel at a place that the application sets", "rcp r1.x, c0.x\nrcp r1.y, c0.y\ntexld r2, r1, s0\nadd r2, r2, -c0.w\ntexkill r2\nmov oC0, r0\n"},
	{"dependent texel, a step that the application sets", "rcp r1.x, c0.x\nadd r2, r0, r1.x\ntexld r2, r2, s0\nmul r0, r0, r2\nmov oC0, r0\n"},
	{"divisor", "exp r1.x, c0.x\nadd r2.x, r0, -r1.x\nrcp r2.x, r2.x\nmul r0.xyz, r0, r2.x\nmov oC0, r0\n"},
	{"a constant added to what varies", "rcp r1.x, c0.x\nadd r2.xy, t0, r1.x\ntexld r2, r2, s0\nmul r0, r0, r2\nmov oC0, r0\n"},
	{"a factor of what varies, into texkill", "rcp r1.x, c0.x\nmul r2, t0, r1.x\ntexkill r2\nmov oC0, r0\n"},
};

/* The same for ps_3_0: a level, and gradients. */
#define QUAD_3 "vs_3_0\ndcl_position v0\ndcl_texcoord v1\ndcl_position o0\ndcl_texcoord o1\nmov o0, v0\nmov o1, v1\n"
#define HEAD_3 "ps_3_0\ndef c7, 0.5, 1, 0.25, 2\ndcl_texcoord v0\ndcl_2d s0\ndcl_cube s1\n"

static const struct tie tied_3[] = {
	{"level", "add r1.xyz, v0, c0\nmov r1.w, c7.x\ntexldl oC0, r1, s0\n"},
	{"level, of a cube", "add r1.xyz, v0, c0\nmov r1.w, c7.y\ntexldl oC0, r1, s1\n"},
	{"bias", "add r1.xyz, v0, c0\nmov r1.w, c7.x\ntexldb oC0, r1, s0\n"},
	{".z of a cube's coordinate", "add r1.xy, v0, c0\nmov r1.z, c7.y\ntexld oC0, r1, s1\n"},
	{"gradients", "add r1.xy, v0, c0\nmov r1.zw, c7.xyzw\ntexldd oC0, r1, s0, r1.zwzw, r1.zwzw\n"},
};

struct tried {
	const struct program *vs, *ps;
	struct move_result *r;
};

static struct tried moved(struct arena *a, const char *vp, const char *body, int level, bool free_ties)
{
	struct tried t = {parse_one(a, vp), parse_one(a, arena_printf(a, HEAD "%s", body)), NULL};
	struct move_options options = move_options_default(VS_1_1, PS_2_0);
	options.level = level;
	options.free_ties = free_ties;
	t.r = level >= 2 ? move_plan(a, t.vs, t.ps, &options) : move_paper(a, t.vs, t.ps, &options);
	return t;
}

static struct proof proof_of(struct arena *a, const struct tried *t, bool free_ties)
{
	return prove(a, (struct pair){t->vs, t->ps}, (struct pair){t->r->vs, t->r->ps},
	             &(struct proof_context){.plain_textures = UINT_MAX, .consts = t->r->consts.at, .nconsts = t->r->consts.n, .folds = t->r->folds.at,
	                                     .nfolds = t->r->folds.n, .free_ties = free_ties});
}

ARENA_TEST(what_is_exact_and_decides_stays_exact)
{
	for (unsigned k = 0; k < sizeof tied / sizeof *tied; k++) {
		for (int level = 1; level <= 3; level++) {
			struct tried const t = moved(*state, QUAD, tied[k].body, level, false);
			if (!proof_of(*state, &t, false).equal)
				fail_msg("%s at -O%d: %s", tied[k].what, level, proof_of(*state, &t, false).why);
		}
	}
}

ARENA_TEST(free_ties_lets_them_come)
{
	unsigned refused = 0;
	for (unsigned k = 0; k < sizeof tied / sizeof *tied; k++) {
		for (int level = 1; level <= 3; level++) {
			struct tried const t = moved(*state, QUAD, tied[k].body, level, true);
			assert_true(proof_of(*state, &t, true).equal);
			struct proof const strict = proof_of(*state, &t, false);
			/* -O3 may also remove it into a sum that reads it directly. */
			if (t.r->moved && strict.equal && program_total_slots(t.r->vs) > program_total_slots(t.vs))
				fail_msg("%s at -O%d: not refused", tied[k].what, level);
			if (!strict.equal)
				assert_non_null(strstr(strict.why, "made of constants alone"));
			refused += !strict.equal;
		}
	}
	assert_true(refused >= 3 * sizeof tied / sizeof *tied - 3);
}

static struct tried moved_3(struct arena *a, const char *body, int level, bool free_ties)
{
	struct diags diags;
	diag_init(&diags, a);
	struct program *vs = parse_one(a, QUAD_3), *ps = parse_one(a, arena_printf(a, HEAD_3 "%s", body));
	link_pair(vs, ps, &diags);
	assert_int_equal(diags.errors, 0);
	struct tried t = {vs, ps, NULL};
	struct move_options options = move_options_default(VS_3_0, PS_3_0);
	options.level = level;
	options.free_ties = free_ties;
	t.r = level >= 2 ? move_plan(a, t.vs, t.ps, &options) : move_paper(a, t.vs, t.ps, &options);
	t.r->vs->text = t.r->ps->text = NULL; /* the pair is not printed and read again, as this proof is not about links */
	return t;
}

ARENA_TEST(what_chooses_a_mip_level_stays_exact)
{
	for (unsigned k = 0; k < sizeof tied_3 / sizeof *tied_3; k++) {
		for (int level = 1; level <= 3; level++) {
			struct tried const strict = moved_3(*state, tied_3[k].body, level, false);
			if (!proof_of(*state, &strict, false).equal)
				fail_msg("%s at -O%d: %s", tied_3[k].what, level, proof_of(*state, &strict, false).why);
			struct tried const t = moved_3(*state, tied_3[k].body, level, true);
			if (!t.r->moved || !proof_of(*state, &t, true).equal)
				fail_msg("%s at -O%d: %d moved, %s", tied_3[k].what, level, (int)t.r->moved, proof_of(*state, &t, true).why);
			if (level < 2 && proof_of(*state, &t, false).equal) /* from -O2 on texldd reads the constant */
				fail_msg("%s at -O%d: not refused", tied_3[k].what, level);
		}
	}
}

/* Checks that an interpolator may bring a level of 0. */
ARENA_TEST(a_level_of_0_moves)
{
	struct tried const t = moved_3(*state, "def c8, 0, 0, 0, 0\nadd r1.xyz, v0, c0\nmov r1.w, c8.x\ntexldl oC0, r1, s0\n", 2, false);
	assert_int_equal(t.r->moved, 2);
	assert_true(proof_of(*state, &t, false).equal);
}

ARENA_TEST(by_what_nothing_decides_moves)
{
	for (unsigned k = 0; k < sizeof free_ones / sizeof *free_ones; k++) {
		for (int level = 1; level <= 3; level++) {
			struct tried const t = moved(*state, QUAD, free_ones[k].body, level, false);
			if (level > 1 && !t.r->moved)
				fail_msg("%s at -O%d: stays", free_ones[k].what, level);
			assert_true(proof_of(*state, &t, false).equal);
		}
	}
}

ARENA_TEST(fates_say_so)
{
	for (int level = 1; level <= 2; level++) {
		struct tried const t = moved(*state, QUAD, tied[0].body, level, false);
		assert_int_equal(t.r->fates[1].verdict, MOVE_TIE);
	}
}

ARENA_TEST(parts_of_a_constant_quotient_stay_together)
{
	for (unsigned k = 0; k < sizeof quotients / sizeof *quotients; k++) {
		for (int level = 2; level <= 3; level++) {
			struct tried const strict = moved(*state, QUAD, quotients[k].body, level, false);
			if (!proof_of(*state, &strict, false).equal)
				fail_msg("%s at -O%d: %s", quotients[k].what, level, proof_of(*state, &strict, false).why);
			struct tried const t = moved(*state, QUAD, quotients[k].body, level, true);
			assert_true(proof_of(*state, &t, true).equal);
			struct proof const p = proof_of(*state, &t, false);
			if (p.equal)
				fail_msg("%s at -O%d: not refused", quotients[k].what, level);
			assert_true(p.doubts);
			assert_non_null(strstr(p.why, "bring multiples of one number"));
		}
	}
	assert_int_equal(moved(*state, QUAD, quotients->body, 2, false).r->fates[1].verdict, MOVE_QUOTIENT);
}

ARENA_TEST(parts_of_other_quotients_move)
{
	for (unsigned k = 0; k < sizeof other_quotients / sizeof *other_quotients; k++) {
		struct tried const t = moved(*state, QUAD, other_quotients[k].body, 2, false);
		if (!t.r->moved)
			fail_msg("%s: stays", other_quotients[k].what);
		if (!proof_of(*state, &t, false).equal)
			fail_msg("%s: %s", other_quotients[k].what, proof_of(*state, &t, false).why);
	}
}

/* Checks that multiples that the VP sends already may be sent. */
ARENA_TEST(multiples_that_were_sent_are_sent)
{
	static const char vp[] = "vs_1_1\ndcl_position v0\ndcl_texcoord v1\nmov oPos, v0\nmul oT0, v1.x, c9\n";
	for (int level = 1; level <= 3; level++) {
		struct tried const t = moved(*state, vp, "mov r1, t0\ntexldp r2, r1, s0\nadd r3.xy, t0, c1\ntexld r3, r3, s0\nmad r0, r2, r0, r3\nmov oC0, r0\n", level, false);
		if (!proof_of(*state, &t, false).equal)
			fail_msg("-O%d: %s", level, proof_of(*state, &t, false).why);
		assert_true(t.r->moved > 0);
	}
}

/* Checks that values made from a literal that the VP sends may be interpolated, as they were before. */
ARENA_TEST(what_was_interpolated_before_may_still_be)
{
	static const char *const vps[] = {"vs_1_1\ndef c1, 0.75, 1, 3, 4\ndcl_position v0\nmov oPos, v0\nmov oT0, c1\n",
	                                  "vs_1_1\ndcl_position v0\nmov oPos, v0\nmov oT0, c1\n"};
	static const char body[] = "sub r1, t0, c7\ntexkill r1\nmad r0, r1, r0, r0\nmov oC0, r0\n";
	for (int level = 1; level <= 3; level++) { /* beside a 0, which is as exact as a constant */
		struct tried const t = moved(*state, "vs_1_1\ndef c1, 4, 0, 2, 1\ndcl_position v0\nmov oPos, v0\nmov oT0, c1\n",
		                             "dp3 r1.w, t0, c3\nmul r0.w, r0, r1\nmov oC0, r0\n", level, false);
		assert_true(proof_of(*state, &t, false).equal);
	}
	/* The same holds for a 0 of the FP that an interpolator brings, and its product with an interpolated value. */
	static const char *const zeros[] = {
		"sub r1.x, c7.x, c7.x\nmul r2.y, c7.x, c7.z\nmad_sat r1.x, c7.y, r1.x, c7.x\nmin r1.x, r1.x, r2.y\nmul r0, t0, r1.x\nmov oC0, r0\n",
		"sub r1.x, c7.x, c7.x\nmul r2.y, c7.x, c7.z\nmul_sat r1.x, r2.y, r1.x\nmul r0, r0, r1.x\nmov oC0, r0\n",
	};
	for (unsigned k = 0; k < sizeof zeros / sizeof *zeros; k++) {
		for (int level = 1; level <= 3; level++) {
			struct tried const t = moved(*state, QUAD, zeros[k], level, false);
			assert_true(proof_of(*state, &t, false).equal);
		}
	}
	for (unsigned k = 0; k < 2; k++) {
		for (int level = 1; level <= 3; level++) {
			struct tried const t = moved(*state, vps[k], body, level, false);
			assert_int_equal(t.r->moved, 1);
			assert_true(proof_of(*state, &t, false).equal);
		}
	}
}

/* Checks that a sum with an interpolated 0, which is exact, stays as exact as the FP's constant. */
ARENA_TEST(a_sum_with_0_is_exact)
{
	static const char vp[] = "vs_1_1\ndcl_position v0\ndcl_texcoord v1\nmov oPos, v0\nsub r3.yz, v1, v1\nmov r3.xw, v1\nmov oT0, r3\n";
	for (int level = 1; level <= 3; level++) {
		struct tried const t = moved(*state, vp, "add r1, t0.y, c1.x\nadd r0, r0, r1\nmov oC0, r0\n", level, false);
		struct proof const p = proof_of(*state, &t, false);
		if (!p.equal)
			fail_msg("-O%d: %s", level, p.why);
	}
}

/* Checks that the FP's own 1 does not come from a 1 that the VP sends for another use. */
ARENA_TEST(an_equal_literal_of_the_vp_is_not_taken)
{
	static const char vp[] = "vs_1_1\ndef c1, 1, 1, 1, 1\ndcl_position v0\ndcl_texcoord v1\nmov oPos, v0\nmov oT0.xyz, v1\nmov oT0.w, c1.x\n";
	static const char body[] = "mov r1.w, c7.y\nadd r2, r0, -r1.w\ntexkill r2\nmul r0.xyz, r0, t0.w\nmov oC0, r0\n";
	for (int level = 1; level <= 3; level++) {
		struct tried const t = moved(*state, vp, body, level, false);
		assert_true(proof_of(*state, &t, false).equal);
		for (uint32_t k = 0; k < t.r->ps->instrs.n; k++)
			assert_false(t.r->ps->instrs.at[k].op == OP_ADD && t.r->ps->instrs.at[k].src[1].file == REG_TEXCOORD);
	}
}

/* Checks that the proof refuses an interpolated tie by itself, whoever made the pair. */
ARENA_TEST(the_proof_refuses_a_flat_newcomer)
{
	const struct program *vs = parse_one(*state, QUAD);
	const struct program *ps = parse_one(*state, HEAD "sub r1, r0, c7.x\ntexkill r1\nmov oC0, r0\n");
	const struct program *new_vs = parse_one(*state, "vs_1_1\ndef c9, 0.5, 0, 0, 0\ndcl_position v0\ndcl_texcoord v1\nmov oPos, v0\nmov oT0, v1\nmov oT1, c9.x\n");
	const struct program *straight = parse_one(*state, "ps_2_0\ndcl t0\ndcl t1\ndcl_2d s0\ntexld r0, t0, s0\nsub r1, r0, t1\ntexkill r1\nmov oC0, r0\n");
	struct proof_context context = {.plain_textures = UINT_MAX};
	struct proof const p = prove(*state, (struct pair){vs, ps}, (struct pair){new_vs, straight}, &context);
	assert_false(p.equal);
	assert_string_equal(p.why, "t1.x brings a number made of constants alone, by which the new pair decides, through an interpolator, which "
	                           "may change its last digit (see --free-ties)");
	assert_int_equal(p.new_instr, 2);
	context.free_ties = true;
	assert_true(prove(*state, (struct pair){vs, ps}, (struct pair){new_vs, straight}, &context).equal);
	/* Drawing with ties shows the difference. */
	struct measure_options options = {.context = {.plain_textures = UINT_MAX}};
	struct measured m = measure(*state, (struct pair){vs, ps}, (struct pair){new_vs, straight}, &options);
	assert_true(m.ties_lost > 0 && !m.within);
	m = measure(*state, (struct pair){new_vs, straight}, (struct pair){vs, ps}, &options);
	assert_int_equal(m.ties_lost, 0);
	assert_true(m.within);
	options.context.free_ties = true;
	assert_true(measure(*state, (struct pair){vs, ps}, (struct pair){new_vs, straight}, &options).within);
	/* In the other direction, and if both pairs have it, nothing is lost. */
	context.free_ties = false;
	assert_true(prove(*state, (struct pair){new_vs, straight}, (struct pair){vs, ps}, &context).equal);
	assert_true(prove(*state, (struct pair){new_vs, straight}, (struct pair){new_vs, straight}, &context).equal);
}

/* Checks c0 - t0 + t0, which differs from c0 by the rounding of t0.  No interpolator promises that rounding: the new pair loses
 * nothing exact. */
ARENA_TEST(a_sum_of_what_varies_meets_a_limit_by_luck)
{
	static const char *const bodies[] = {"sub r1, c0, r3\nadd r1, r1, r3\n", "sub r1, c0, r3\nmul r1, r1, c1\nrcp r2.x, c1.x\nmad r1, r1, r2.x, r3\n"};
	const struct program *vs = parse_one(*state, QUAD), *new_vs = parse_one(*state, "vs_1_1\ndef c9, 1, 0, 0, 0\ndcl_position v0\n"
	                                                                         "dcl_texcoord v1\nmov oPos, v0\nmov oT0, v1\nmov oT1, c9.x\n");
	struct measure_options const options = {.context = {.plain_textures = UINT_MAX}};
	for (unsigned k = 0; k < 2; k++) {
		const char *rest = arena_printf(*state, "%ssub r1, r1, c0\ntexkill r1\nmov oC0, r0\n", bodies[k]);
		const struct program *ps = parse_one(*state, arena_printf(*state, HEAD "mov r3, t0\n%s", rest));
		const struct program *new_ps = parse_one(*state, arena_printf(*state, "ps_2_0\ndcl t0\ndcl t1\ndcl_2d s0\ntexld r0, t0, s0\n"
		                                                              "mul r3, t0, t1\n%s", rest));
		struct measured const m = measure(*state, (struct pair){vs, ps}, (struct pair){new_vs, new_ps}, &options);
		if (m.ties_lost > 0)
			fail_msg("pair %u: %u pixels lost", k, (unsigned)m.ties_lost);
	}
}

/* Checks a clamped sum with an interpolated addend: its factor need not be more exact than that. */
ARENA_TEST(a_clamped_sum_is_as_inexact_as_the_sum)
{
	const struct program *vs = parse_one(*state, QUAD);
	const struct program *ps = parse_one(*state, HEAD "mov r1.x, c2.x\nmad r1.w, t0.y, c0.y, r1.x\nmov_sat r0.w, r1.w\nmov oC0, r0\n");
	const struct program *new_vs = parse_one(*state, QUAD "mov oT1.x, c9.y\n");
	const struct program *new_ps = parse_one(*state, "ps_2_0\ndcl t0\ndcl t1.x\ndcl_2d s0\ntexld r0, t0, s0\n"
	                                                 "mad_sat r0.w, t0.y, t1.x, c2.x\nmov oC0, r0\n");
	struct const_map const map = {.vs = 9, .ps = 0};
	struct proof const p = prove(*state, (struct pair){vs, ps}, (struct pair){new_vs, new_ps},
	                             &(struct proof_context){.plain_textures = UINT_MAX, .consts = &map, .nconsts = 1});
	if (!p.equal)
		fail_msg("%s", p.why);
}

/* Checks a pair whose VP sends c4, a constant by which its FP decides, and another constant: c4 is inexact beside a product of that
 * other one with a varying value, in the old pair as in the new one. */
ARENA_TEST(a_constant_beside_a_product_with_one_that_was_sent)
{
	const struct program *vs = parse_one(*state, QUAD "mov oT1, c92\ndp3 oT2, c91, c91\nmov oT3, c93\n");
	const struct program *ps = parse_one(*state, "ps_2_0\ndcl t0\ndcl t1\ndcl t2\ndcl t3\ndcl_2d s0\ntexkill t3\nmul r1, t2.x, c1\ndp3 r1, t0, r1\n"
	                                     "mad r1, r1, c4, t1\ntexkill r1\ntexld r0, t0, s0\nmov oC0, r0\n");
	const struct program *exact = parse_one(*state, "ps_2_0\ndcl t0\ndcl t1\ndcl t2\ndcl_2d s0\nmax r1, t2.x, c1\nadd r1, r1, t1\n"
	                                        "texld r0, t0, s0\nmul r0, r0, r1\nmov oC0, r0\n");
	struct const_map const consts[] = {{.vs = 92, .ps = 4}};
	struct needs given = {.consts = {.n = 0}};
	VEC_PUSH(*state, &given.consts) = consts[0];
	struct proof_context context = {.plain_textures = UINT_MAX, .given = &given, .consts = consts, .nconsts = 1};
	/* The proof tells copies of the same text apart. */
	assert_true(prove(*state, (struct pair){vs, ps}, (struct pair){vs, ps}, &context).equal);
	assert_true(prove(*state, (struct pair){vs, exact}, (struct pair){vs, exact}, &context).equal);
}

/* Checks that a texture coordinate made of literals is a tie, as it often is the edge of a texel; one that the application sets is
 * taken to be inside a texel. */
ARENA_TEST(a_literal_coordinate_is_a_newcomer)
{
	const struct program *vs = parse_one(*state, QUAD);
	static const char *const bodies[][2] = {{"add r1, r0, c7.x\n", "add r1, r0, t1.x\n"}, {"add r1, r0, c0.x\n", "add r1, r0, t1.x\n"},
	                                        {"mul r1, c7.x, c0\nmad r1, r0, c1, r1\n", "mul r1, t1.x, c0\nmad r1, r0, c1, r1\n"},
	                                        {"mov r1, r0\nmov r1.z, c0.x\n", "mov r1, r0\nmov r1.z, t1.x\n"}};
	static const char *const sent[] = {"def c9, 0.5, 0, 0, 0\n", "", "def c9, 0.5, 0, 0, 0\n", ""};
	for (unsigned k = 0; k < 4; k++) { /* the last one's texture may be one of depths */
		const struct program *ps = parse_one(*state, arena_printf(*state, HEAD "%stexld r1, r1, s0\nmul r0, r0, r1\nmov oC0, r0\n", bodies[k][0]));
		const struct program *new_vs = parse_one(*state, arena_printf(*state, "vs_1_1\n%sdcl_position v0\ndcl_texcoord v1\nmov oPos, v0\n"
		                                                              "mov oT0, v1\nmov oT1, c9.x\n", sent[k]));
		const struct program *new_ps = parse_one(*state, arena_printf(*state, "ps_2_0\ndcl t0\ndcl t1\ndcl_2d s0\ntexld r0, t0, s0\n%s"
		                                                              "texld r1, r1, s0\nmul r0, r0, r1\nmov oC0, r0\n", bodies[k][1]));
		struct const_map const map = {.vs = 9, .ps = 0};
		struct proof_context context = {.plain_textures = k < 3 ? UINT_MAX : 0, .consts = &map, .nconsts = k % 2};
		struct proof const p = prove(*state, (struct pair){vs, ps}, (struct pair){new_vs, new_ps}, &context);
		assert_int_equal(p.equal, k == 1);
		if (!p.equal)
			assert_non_null(strstr(p.why, "made of constants alone"));
		context.free_ties = true;
		assert_true(prove(*state, (struct pair){vs, ps}, (struct pair){new_vs, new_ps}, &context).equal);
		context.free_ties = false;
		struct measure_options const options = {.context = context};
		struct measured const m = measure(*state, (struct pair){vs, ps}, (struct pair){new_vs, new_ps}, &options);
		if ((m.ties_lost > 0) != (k != 1))
			fail_msg("pair %u: %u pixels lost", k, (unsigned)m.ties_lost);
	}
}

/* The VP writes 0 or 1 to t0.z: where it is 0, its sum with a number is exact, and its product is 0. */
#define CHOOSING "vs_1_1\ndcl_position v0\ndcl_texcoord v1\nmov oPos, v0\nmov oT0.xy, v1\nslt oT0.zw, c5.x, c5.y\n"

ARENA_TEST(a_sum_with_a_choice_of_0_is_exact)
{
	static const char *const sums[] = {"add r1, t0.z, c7.x\ntexld r1, r1, s0\nmul r0, r0, r1\nmov oC0, r0\n",
	                                   "mad r1, t0.z, c0.x, c0\ntexkill r1\nmov oC0, r0\n"};
	for (unsigned k = 0; k < 2; k++) {
		for (int level = 1; level <= 3; level++) {
			struct tried const t = moved(*state, CHOOSING, sums[k], level, false);
			assert_int_equal(t.r->moved, 0);
			if (k == 0 || level > 1)
				assert_int_equal(t.r->fates[1].verdict, MOVE_TIE);
		}
		struct tried const t = moved(*state, CHOOSING, sums[k], 2, true);
		assert_int_equal(t.r->moved, 1);
		struct proof const p = proof_of(*state, &t, false);
		assert_false(p.equal);
		assert_non_null(strstr(p.why, "made of constants alone"));
		assert_true(proof_of(*state, &t, true).equal);
	}
	/* The value is 0 before and after. */
	struct tried const t = moved(*state, CHOOSING, "mul r1, t0.z, c0\nmul r1, r1, c1.x\ntexkill r1\nmov oC0, r0\n", 2, false);
	assert_int_equal(t.r->moved, 2);
	assert_true(proof_of(*state, &t, false).equal);
}

/* Writes an instruction of the opcode that reads r1 as source `s` and texels as the others.  Returns the lanes of r2 that it writes, as a
 * swizzle; NULL if the source can be no r#. */
static const char *put_op(struct text *t, enum op op, unsigned s)
{
	enum op_shape const shape = ops[op].shape;
	bool const sincos = shape == SHAPE_SINCOS, short_one = shape == SHAPE_CROSS || shape == SHAPE_NRM;
	if (s > 0 && (sincos || shape == SHAPE_MATRIX || ops[op].flags & OPF_TEX))
		return NULL;
	text_printf(t, "%s%s", ops[op].name, shape == SHAPE_KILL ? " " : sincos ? " r2.xy, " : short_one ? " r2.xyz, " : " r2, ");
	for (unsigned k = 0; k < ops[op].sources; k++) {
		const char *lane = shape == SHAPE_SCALAR || sincos || (shape == SHAPE_DP2ADD && k == 2) ? ".x" : "";
		if (k > 0 && (sincos || shape == SHAPE_MATRIX || ops[op].flags & OPF_TEX))
			text_printf(t, ", %s", sincos ? k == 1 ? "c5" : "c6" : shape == SHAPE_MATRIX ? "c10" : "s0");
		else
			text_printf(t, "%sr%u%s", k ? ", " : "", k == s ? 1u : 0u, lane);
	}
	text_string(t, "\n");
	if (shape == SHAPE_KILL)
		text_string(t, "mov r2, r0\n");
	unsigned const rows = op == OP_M3X2 ? 2 : op == OP_M3X3 || op == OP_M4X3 ? 3 : 4;
	return sincos || rows == 2 ? "xyxy" : short_one || rows == 3 ? "xyzz" : "xyzw";
}

/* The mover and the proof decide by themselves which opcodes tie a number: of the application's constants, or of literals. */
ARENA_TEST(mover_and_proof_agree_on_all_opcodes)
{
	static const char *const made[] = {"rcp r1, c0.x\n", "mul r1, c7.x, c7.zyzw\n"};
	static const char *const sent[] = {"rcp oT1, c9.x\n", "mov oT1, c9\n"}, *const defs[] = {"", "def c9, 0.125, 0.5, 0.125, 1\n"};
	struct const_map const map = {.vs = 9, .ps = 0};
	unsigned tested = 0, decides = 0;
	for (unsigned n = 0; n < 4 * OP_COUNT * 2; n++) {
		enum op const op = (enum op)(n / 8);
		unsigned const s = n / 2 % 4, kind = n % 2;
		struct text body = {.arena = *state};
		if (op == OP_NOP || op_is_region(op) || op_is_flow(op) || !op_slots(op, PS_2_0) || s >= ops[op].sources)
			continue;
		const char *written = put_op(&body, op, s);
		if (!written)
			continue;
		text_printf(&body, "mov r3, r2.%s\nadd r4.xyz, r0, r3\nadd r4.xyz, r4, r3.w\nmov r4.w, r0.w\nmov oC0, r4\n", written);
		const char *head = "ps_2_0\ndef c7, 0.5, 1, 0.25, 2\ndef c5, -1.5500992e-006, -2.1701389e-005, 0.0026041667, 0.00026041668\n"
		                   "def c6, -0.020833334, -0.125, 1, 0.5\ndcl t0\ndcl t1\ndcl_2d s0\ntexld r0, t0, s0\n";
		const struct program *vs = parse_one(*state, QUAD), *ps = parse_one(*state, arena_printf(*state, "%s%s%s", head, made[kind], body.at));
		const struct program *new_vs = parse_one(*state, arena_printf(*state, "vs_1_1\n%sdcl_position v0\ndcl_texcoord v1\nmov oPos, v0\n"
		                                                              "mov oT0, v1\n%s", defs[kind], sent[kind]));
		const struct program *new_ps = parse_one(*state, arena_printf(*state, "%smov r1, t1\n%s", head, body.at));
		struct ties const ties = ties_find(*state, ps, values_number(*state, vs, ps));
		struct proof_context const context = {.plain_textures = UINT_MAX, .consts = &map, .nconsts = kind == 0};
		struct proof const p = prove(*state, (struct pair){vs, ps}, (struct pair){new_vs, new_ps}, &context);
		bool mover = false;
		for (unsigned l = 0; l < LANES; l++)
			mover |= ties_of_def(&ties, 1, l) != NO_TIE;
		if (mover == p.equal || (!p.equal && !strstr(p.why, "made of constants alone")))
			fail_msg("source %u of %s, %s: the mover says %d, the proof %s", s, ops[op].name, kind ? "a literal" : "a constant", mover,
			         p.equal ? "equal" : p.why);
		tested++;
		decides += mover;
	}
	assert_true(tested >= 80 && decides >= 8 && decides < tested / 2);
}
