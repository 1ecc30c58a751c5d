/* Tidying of programs, from text to text; each result is also proved. */
#include "pairs.h"

#include "lang/check.h"
#include "lang/link.h"
#include "lang/modifier.h"
#include "verify/verify.h"

#define QUAD "vs_1_1\ndcl_position v0\ndcl_texcoord v1\nmov oPos, v0\n"
#define ANY_PS "ps_2_0\ndcl t0\ndcl t1\ndcl t2\ndcl v0\nadd r0, t0, v0\nadd r0, r0, t1\nadd r0, r0, t2\nmov oC0, r0\n"
#define ALL_OUT "vs_1_1\ndcl_position v0\nmov oPos, v0\nmov oT0, v0\nmov oT1, v0\nmov oT2, v0\nmov oD0, v0\n"

static void prove_same(struct arena *a, struct pair old, struct pair new)
{
	struct proof_context context = {.plain_textures = UINT_MAX};
	struct proof proof = prove(a, old, new, &context);
	if (!proof.equal)
		fail_msg("%s", proof.why);
}

static unsigned faults(struct arena *a, const struct program *p)
{
	struct check_options options = {0};
	struct diags d;
	diag_init(&d, a);
	check_program(p, &options, &d);
	return d.errors + d.warnings;
}

/* Tidies the vertex program for the pixel program `ps` and compares; both texts are whole programs. */
static void tidy_vs(void **state, const char *vs_text, const char *ps_text, const char *want)
{
	struct program *vs = parse_one(*state, vs_text), *ps = parse_one(*state, ps_text);
	struct program *after = program_copy(*state, vs);
	struct outputs_read read = outputs_read_by(ps);
	struct tidy_limits limits = {.old = vs, .consts = {20, 21}, .temps = 12, .choices = true, .regroup = true};
	bool changed = tidy_program(*state, after, &read, &limits);
	assert_string_equal(instrs_of(*state, after), want);
	assert_int_equal(changed, strcmp(instrs_of(*state, vs), want) != 0);
	assert_false(tidy_program(*state, after, &read, &limits));
	assert_in_range(faults(*state, after), 0, faults(*state, vs));
	prove_same(*state, (struct pair){vs, ps}, (struct pair){after, ps});
}

/* Settles and tidies a pixel program: `body` behind its declarations. */
#define DCLS "ps_2_0\ndef c8, 3, 0, 0, 0\ndef c9, 1, 0, 0, 0\ndcl t0\ndcl t1\ndcl_2d s0\ndcl_2d s1\n"
static struct program *tidy_ps_into(void **state, const char *body, const char *want, struct tidy_limits *limits)
{
	struct program *vs = parse_one(*state, ALL_OUT);
	struct program *ps = parse_one(*state, arena_printf(*state, DCLS "%s", body));
	struct program *after = program_copy(*state, ps);
	if (limits)
		limits->old = ps;
	tidy_settle(*state, after);
	tidy_program(*state, after, NULL, limits);
	assert_string_equal(instrs_of(*state, after), want);
	assert_false(tidy_program(*state, after, NULL, limits));
	assert_in_range(faults(*state, after), 0, faults(*state, ps));
	prove_same(*state, (struct pair){vs, ps}, (struct pair){vs, after});
	return after;
}

static struct program *tidy_ps(void **state, const char *body, const char *want)
{
	return tidy_ps_into(state, body, want, NULL);
}

/* --- dead ------------------------------------------------------------------------- */

ARENA_TEST(dead_instructions_and_lanes_go)
{
	tidy_ps(state, "mul r2, t0, t0\nadd r0, t0, c0\nnop\nmul r1, r0, c1\nadd r3, r2, r2\ntexld r1, r1, s0\nmov oC0, r1\n",
	        "add r0.xy, t0, c0\nmul r1.xy, r0, c1\ntexld r1, r1, s0\nmov oC0, r1\n");
}

ARENA_TEST(kills_and_depths_live)
{
	static const char body[] = "add r0, t0, c0\ntexkill r0\nmul r1.x, t0.x, c1.x\nmov oDepth, r1.x\nmov oC0, c0\n";
	tidy_ps(state, body, "add r0, t0, c0\ntexkill r0\nmul r1.x, t0.x, c1.x\nmov oDepth, r1.x\nmov oC0, c0\n");
}

ARENA_TEST(outputs_nobody_reads_go)
{
	tidy_vs(state, QUAD "mul r0, v1, c0\nmov oT0.xy, v1\nadd oT1.xyz, r0, c1\nmul oD0, r0, r0\n",
	        "ps_2_0\ndcl t0.xy\ndcl_2d s0\ntexld r0, t0, s0\nmov oC0, r0\n", "mov oPos, v0\nmov oT0.xy, v1\n");
}

ARENA_TEST(masks_of_outputs_stay_prefixes)
{
	/* A reader needs .y, so that .x must be written, too. */
	tidy_vs(state, QUAD "dp4 r0.x, v1, c0\nadd r0.y, v1, c1\nmul oT0, r0.xyyx, c2\n",
	        "ps_2_0\ndcl t0\nmov r0, t0.y\nmov oC0, r0\n", "mov oPos, v0\ndp4 r0.x, v1, c0\nadd r0.y, v1, c1\nmul oT0.xy, r0.xyyx, c2\n");
}

ARENA_TEST(a_prefix_that_cannot_ride_stays)
{
	tidy_vs(state, QUAD "mul oT0.x, v1, c2\nlit oT0.yz, v1\n",
	        "ps_2_0\ndcl t0.xyz\nmov r0, t0.z\nmov oC0, r0\n", "mov oPos, v0\nmul oT0.x, v1, c2\nlit oT0.yz, v1\n");
}

ARENA_TEST(unread_outputs_below_read_ones_stay)
{
	tidy_vs(state, QUAD "m4x4 r0, v1, c0\nmul oT0, r0, c4\nmov oT1.xy, v1\nmov oT2, v1\n",
	        "ps_2_0\ndcl t2.xy\ndcl_2d s0\ntexld r0, t2, s0\nmov oC0, r0\n",
	        "mov oPos, v0\ndp4 r0.x, v1, c0\nmul oT0.x, r0, c4\nmov oT1.x, v1\nmov oT2.xy, v1\n");
}

ARENA_TEST(a_matrix_becomes_the_rows_it_needs)
{
	tidy_vs(state, QUAD "m4x4 r0, v1, c0\nmov oT0.xy, r0.yzxw\n",
	        "ps_2_0\ndcl t0.xy\ndcl_2d s0\ntexld r0, t0, s0\nmov oC0, r0\n",
	        "mov oPos, v0\ndp4 oT0.x, v1, c1\ndp4 oT0.y, v1, c2\n");
}

ARENA_TEST(addresses_stay)
{
	static const char vs[] = QUAD "mov a0.x, v1.x\nadd oT0, v1, c[a0.x + 4]\nmov a0.x, v1.y\nmov oT1, v1\n";
	tidy_vs(state, vs, "ps_2_0\ndcl t0\nmov r0, t0\nmov oC0, r0\n",
	        "mov oPos, v0\nmov a0.x, v1.x\nadd oT0, v1, c[a0.x + 4]\n");
}

/* --- copies ----------------------------------------------------------------------- */

ARENA_TEST(copies_are_read_through)
{
	tidy_ps(state, "mov r0.xy, t0.wzyx\nmov r1.x, -r0.y\nmov r2.x, r1.x\nadd r2, r2.x, c0\nmov oC0, r2\n",
	        "add r2, -t0.z, c0\nmov oC0, r2\n");
}

ARENA_TEST(copies_respect_ports_and_overwrites)
{
	static const char two[] = "mov r0, c0\nadd r1, r0, c1\nmov oC0, r1\n";
	tidy_ps(state, two, two);
	static const char inputs[] = "mov r0, t0\nadd r1, r0, t1\nmov oC0, r1\n";
	tidy_ps(state, inputs, inputs);
	/* r1 is a copy of the old r0. */
	static const char old[] = "texld r0, t0, s0\nmov r1, r0.wzyx\nmul r0, r0, r0\nadd r0.x, r0, r1\nmul r0, r0, r1\nmov oC0, r0\n";
	tidy_ps(state, old, "texld r0, t0, s0\nmul r1, r0, r0\nadd r1.x, r1, r0.w\nmul r0, r1, r0.wzyx\nmov oC0, r0\n");
}

ARENA_TEST(copies_respect_swizzles)
{
	/* .yx of t0 is no ps_2_0 swizzle, and a texture coordinate takes none. */
	tidy_ps(state, "mov r0.x, t0.y\nmov r0.y, t0.x\nmul r1.xy, r0, c0\ntexld r2, r0, s0\ntexld r1, r1, s0\nadd r1, r1, r2\nmov oC0, r1\n",
	        "mov r0.x, t0.y\nmov r0.y, t0.x\nmul r1.xy, r0, c0\ntexld r2, r0, s0\ntexld r1, r1, s0\nadd r1, r1, r2\nmov oC0, r1\n");
}

ARENA_TEST(nrm_writes_the_lanes_that_it_wrote)
{
	static const char some[] = "nrm r0.xyz, t0\nmov r1.y, r0\nmul r1, r1.y, t1\nmov oC0, r1\n";
	tidy_ps(state, some, "nrm r0.xyz, t0\nmul r1, r0.y, t1\nmov oC0, r1\n");
	tidy_ps(state, "nrm r0.xyz, t0\nmov r1.x, t1.w\nmov r1.y, r0\ntexld r1, r1, s0\nmov oC0, r1\n",
	        "nrm r0.xyz, t0\nmov r0.x, t1.w\ntexld r1, r0, s0\nmov oC0, r1\n");
	tidy_ps(state, "nrm r0.xyz, t0\nmul r1.w, t1, t1\nmov r1.xyz, r0\nmul r1, r1, t1\nmov oC0, r1\n",
	        "nrm r1.xyz, t0\nmul r1.w, t1, t1\nmul r1, r1, t1\nmov oC0, r1\n");
}

ARENA_TEST(saturated_movs_are_no_copies)
{
	static const char body[] = "mov_sat r0, t0\nmul r0, r0, r0\nmov oC0, r0\n";
	tidy_ps(state, body, body);
}

/* --- targets ---------------------------------------------------------------------- */

ARENA_TEST(values_are_computed_where_they_are_wanted)
{
	tidy_vs(state, QUAD "add r0.xy, v1, c0\nmov oT0.xy, r0.xy\nmul r1.x, v1.y, c0.z\nmov oT1.x, -r1.x\n", ANY_PS,
	        "mov oPos, v0\nadd oT0.xy, v1, c0\nmul oT1.x, -v1.y, c0.z\n");
}

ARENA_TEST(targets_turn_lanes)
{
	tidy_vs(state, QUAD "mad r0.xy, v1, c0.zwzw, v1.z\nmov oT0.xy, r0.yxzw\n", ANY_PS,
	        "mov oPos, v0\nmad oT0.xy, v1.yx, c0.wz, v1.z\n");
}

ARENA_TEST(targets_of_one_lane_have_its_mask)
{
	tidy_vs(state, QUAD "mul r0.w, v1.x, c0.x\nexp r0.w, r0.w\nmov oFog, r0.w\nadd r1.yz, v1, c1\nmov oPts, -r1.z\n", ANY_PS,
	        "mov oPos, v0\nmul r0.w, v1.x, c0.x\nexp oFog.x, r0.w\nadd oPts.x, -v1.z, -c1.z\n");
}

ARENA_TEST(targets_of_many_parts)
{
	tidy_vs(state, QUAD "rcp r0.w, v1.x\ndp3 r1.x, v1, v1\nmov r1.y, r0.w\nmov oT0.xy, r1\n", ANY_PS,
	        "mov oPos, v0\nrcp oT0.y, v1.x\ndp3 oT0.x, v1, v1\n");
}

ARENA_TEST(shared_values_keep_their_place)
{
	static const char want[] =
		"mov oPos, v0\nadd r0.xy, v1, c0\nmov oT0.xy, r0\nmul oT1.xy, r0, c1\n";
	tidy_vs(state, QUAD "add r0.xy, v1, c0\nmov oT0.xy, r0\nmul oT1.xy, r0, c1\n", ANY_PS, want);
}

ARENA_TEST(targets_are_not_taken_early)
{
	/* The add cannot write r1, which is read between it and the mov; the readers of r1 read r0 instead. */
	static const char body[] = "texld r1, t0, s0\nadd r0, t1, c0\nmul r2, r1, r1\nmov r1, r0\nmad r2, r2, r1, r1\nmov oC0, r2\n";
	struct program *p = tidy_ps(state, body, "texld r1, t0, s0\nadd r0, t1, c0\nmul r2, r1, r1\nmad r2, r2, r0, r0\nmov oC0, r2\n");
	assert_int_equal(p->instrs.n, 5);
	tidy_ps(state, "dp3 r0.y, t0, c0\nrsq r0.x, t1.x\ndp3 r0.z, t1, c1\ndp3 r0.w, t1, c2\nmov r0, r0.wzyx\nmov oC0, r0\n",
	        "dp3 r0.z, t0, c0\nrsq r0.w, t1.x\ndp3 r0.y, t1, c1\ndp3 r0.x, t1, c2\nmov oC0, r0\n");
}

/* Checks that an abs of model 3 becomes the modifier of all its readers, or stays. */
ARENA_TEST(an_abs_becomes_the_modifier_of_its_readers)
{
	static const struct {
		const char *body;
		unsigned slots;
	} cases[] = {
		{"abs_pp r1.x, c0.y\ncmp r0, -r1.x, r0, v0\nmul r0, r0, r1.x\n", 4},
		{"abs r1, r0\nadd r0.x, r0.x, v0.x\nmul r0, r0, r1\n", 5}, /* r0.x is written before it is read */
		{"abs_sat r1, r0\nmul r0, v0, r1\n", 4},
		{"abs r1.x, c0.x\nmad r0, r0, c1.x, r1.x\n", 4}, /* two constants in one instruction */
	};
	for (unsigned k = 0; k < sizeof cases / sizeof *cases; k++) {
		struct program *ps = parse_one(*state, arena_printf(*state, "ps_3_0\ndcl_texcoord v0\ndcl_2d s0\ntexld r0, v0, s0\n%smov oC0, r0\n", cases[k].body));
		struct program *vs = parse_one(*state, "vs_3_0\ndcl_position v0\ndcl_position o0\ndcl_texcoord o1\nmov o0, v0\nmov o1, v0\n");
		struct diags said;
		diag_init(&said, *state);
		link_pair(vs, ps, &said);
		assert_int_equal(said.errors, 0);
		struct program *after = program_copy(*state, ps);
		tidy_program(*state, after, NULL, NULL);
		modifier_settle(*state, after);
		assert_int_equal(program_total_slots(after), cases[k].slots);
		prove_same(*state, (struct pair){vs, ps}, (struct pair){vs, after});
	}
}

/* Checks that a value that only movs read is computed in the place of each mov, if each brings other lanes. */
ARENA_TEST(what_movs_alone_read_is_computed_in_their_places)
{
	static const char *const cases[][2] = {
		{"mad r3, r0, t1, c0\nmov r2.xy, r3\ntexldp r4, r2, s0\nmov_sat r2.xy, -r3.wzyx\n",
		 "mad r2.xy, r0, t1, c0\ntexldp r4, r2, s0\nmad_sat r2.xy, -r0.wzyx, t1.wzyx, -c0.wzyx\n"},
		/* It has another reader, or takes two slots. */
		{"mad r3, r0, t1, c0\nmov r2.xy, r3\ntexldp r4, r2, s0\nmov r2.xy, r3.wzyx\nmax r4, r4, r3.w\n", NULL},
		{"lrp r3, r0, t1, c0\nmov r2.xy, r3\ntexldp r4, r2, s0\nmov r2.xy, r3.wzyx\n", NULL},
	};
	for (unsigned k = 0; k < sizeof cases / sizeof *cases; k++) {
		const char *from = "texld r0, t0, s0\nmov r2.w, t0\n", *end = "texldp r2, r2, s0\nadd r0, r4, r2\nmov oC0, r0\n";
		tidy_ps(state, arena_printf(*state, "%s%s%s", from, cases[k][0], end),
		        arena_printf(*state, "%s%s%s", from, cases[k][cases[k][1] != NULL], end));
	}
}

ARENA_TEST(what_a_mov_holds_at_partial_precision_is_copied_again_in_full)
{
	tidy_ps(state, "mov_pp r1.x, t0.y\nmov r1.y, t0.x\ntexld r0, r1, s0\nmov r1.x, t0.y\nmov r1.y, t0.x\ntexld r2, r1, s1\nadd r0, r0, r2\nmov oC0, r0\n",
	        "mov_pp r1.x, t0.y\nmov r1.y, t0.x\ntexld r0, r1, s0\nmov r1.x, t0.y\ntexld r2, r1, s1\nadd r0, r0, r2\nmov oC0, r0\n");
}

ARENA_TEST(reciprocals_keep_their_sign)
{
	static const char body[] = "rcp r0.x, t0.x\nmov r1.x, -r0.x\nmov r1.yzw, c0\nmov oC0, r1\n";
	tidy_ps(state, body, body);
}

ARENA_TEST(negations_go_into_what_is_negated)
{
	tidy_vs(state,
	        QUAD "add r0.x, v1, c0\nmov oT0.x, -r0.x\nmad r1.x, v1, c0, v1.y\nmov oT1.x, -r1.x\nsub r2.x, v1, c0\nmov oT2.x, -r2.x\n",
	        ANY_PS,
	        "mov oPos, v0\nadd oT0.x, -v1, -c0\nmad oT1.x, -v1, c0, -v1.y\nsub oT2.x, -v1, -c0\n");
	static const char kept[] = QUAD "max r0.x, v1, c0\nmov oT0.x, -r0.x\n";
	tidy_vs(state, kept, "ps_2_0\ndcl t0.x\nmov r0, t0.x\nmov oC0, r0\n", "mov oPos, v0\nmax r0.x, v1, c0\nmov oT0.x, -r0.x\n");
	static const char saturated[] = "add_sat r0, t0, c0\nmov r1, -r0\nmax r0, r1, t1\nmov oC0, r0\n";
	tidy_ps(state, saturated, "add_sat r0, t0, c0\nmax r0, -r0, t1\nmov oC0, r0\n");
}

ARENA_TEST(fixed_lanes_are_not_turned)
{
	static const char vs[] = QUAD "lit r0, v1\nmov oT0, r0.wzyx\n";
	tidy_vs(state, vs, ANY_PS, "mov oPos, v0\nlit r0, v1\nmov oT0, r0.wzyx\n");
	tidy_vs(state, QUAD "lit r0, v1\nmov oT0, r0\n", ANY_PS, "mov oPos, v0\nlit oT0, v1\n");
}

ARENA_TEST(what_macros_clobber_is_no_copy)
{
	static const char vs[] = "vs_2_0\ndcl_position v0\ndcl_texcoord v1\nmov oPos, v0\nmul r1, v1, c0\nmov r3, r1\n"
	                         "sgn r0, v0, r1, r2\nadd oT0, r0, r3\nmul oT1, r3, r3\n";
	tidy_vs(state, vs, ANY_PS, "mov oPos, v0\nmul r3, v1, c0\nsgn r0, v0, r1, r2\nadd oT0, r0, r3\nmul oT1, r3, r3\n");
	static const char sines[] = "mul r0, t0, c0\nmov r1.z, r0\nsincos r0.xy, t1.x, c1, c2\nmul r0.z, r1, r1\nmov r0.w, c3\nmov oC0, r0\n";
	tidy_ps(state, sines, "mul r0.z, t0, c0\nsincos r1.xy, t1.x, c1, c2\nmul r1.z, r0, r0\nmov r1.w, c3\nmov oC0, r1\n");
}

ARENA_TEST(addressed_constants_stay_behind_their_address)
{
	static const char want[] = "mov oPos, v0\nmov a0.x, v1.x\nmul r0.x, v1, c[a0.x + 4]\nmov a0.x, v1.y\n"
	                           "mul oT0.y, v1, c[a0.x + 4]\nadd oT0.x, r0, v1\n";
	tidy_vs(state,
	        QUAD "mov a0.x, v1.x\nmul r0.x, v1, c[a0.x + 4]\nmov a0.x, v1.y\nmul oT0.y, v1, c[a0.x + 4]\nadd oT0.x, r0, v1\n",
	        "ps_2_0\ndcl t0.xy\nmov r0, t0.x\nadd r0, r0, t0.y\nmov oC0, r0\n", want);
}

/* --- equal values, lanes, mads ---------------------------------------------------- */

ARENA_TEST(equal_values_are_computed_once)
{
	tidy_ps(state, "rsq r0.x, t0.x\nrsq r1.w, t0.x\nmul r2, c0, r0.x\nmad r2, r2, r1.w, c0\nmov oC0, r2\n",
	        "rsq r0.x, t0.x\nmul r2, c0, r0.x\nmad r2, r2, r0.x, c0\nmov oC0, r2\n");
}

/* Checks that equal values are computed once and lanes are joined at full precision, if one of them has no _pp. */
ARENA_TEST(half_precision_is_in_nobodys_way)
{
	tidy_ps(state, "texld r0, t0, s0\nrsq_pp r1.x, r0.x\nrsq r2.x, r0.x\nmul r0, r0, r1.x\nmul_pp r0, r0, r2.x\nmov oC0, r0\n",
	        "texld r0, t0, s0\nrsq r1.x, r0.x\nmul r0, r0, r1.x\nmul_pp r0, r0, r1.x\nmov oC0, r0\n");
	static const char *const cases[][2] = {
		{"mul_pp r0.xyz, r0, t1\nmul r0.w, r0, t1\n", "mul r0, r0, t1\n"},
		{"mul_pp r0.xyz, r0, t1\nmul_sat r0.w, r0, t1\n", NULL},
	};
	for (unsigned k = 0; k < sizeof cases / sizeof *cases; k++) {
		struct tidy_limits limits = {.consts = {20, 21}, .temps = 12};
		tidy_ps_into(state, arena_printf(*state, "texld r0, t0, s0\n%smov oC0, r0\n", cases[k][0]),
		             arena_printf(*state, "texld r0, t0, s0\n%smov oC0, r0\n", cases[k][cases[k][1] != NULL]), &limits);
	}
}

ARENA_TEST(equal_texture_reads_are_made_once)
{
	tidy_ps(state, "texld r0, t0, s0\ntexld r1, t0, s0\ntexld r2, t0, s1\nmul r0, r0, r1\nmul r0, r0, r2\nmov oC0, r0\n",
	        "texld r0, t0, s0\ntexld r2, t0, s1\nmul r0, r0, r0\nmul r0, r0, r2\nmov oC0, r0\n");
}

ARENA_TEST(lanes_of_one_operation_are_joined)
{
	tidy_vs(state, QUAD "mul oT0.x, v1.x, c0.z\ndp3 oT1.x, v0, c1\nmul oT0.y, v1.z, c0.x\ndp3 oT1.z, v0, c1\nmov oT1.y, v0\n",
	        ANY_PS, "mov oPos, v0\nmul oT0.xy, v1.xz, c0.zx\ndp3 oT1.xz, v0, c1\nmov oT1.y, v0\n");
}

/* Checks that lanes of sums or products are joined with operands exchanged; those of a difference of two registers, or of a
 * comparison, are not. */
ARENA_TEST(lanes_are_joined_with_operands_exchanged)
{
	tidy_vs(state, QUAD "rcp r0.x, v1.x\nrcp r1.x, v1.y\nadd oT0.x, -r0.x, v1.x\nadd oT0.y, v1.y, -r1.x\n", ANY_PS,
	        "mov oPos, v0\nrcp r0.x, v1.x\nrcp r0.y, v1.y\nadd oT0.xy, -r0, v1\n");
	tidy_vs(state, QUAD "rcp r0.x, v1.x\nrcp r1.x, v1.y\nslt oT0.x, r0.x, v1.x\nslt oT0.y, v1.y, r1.x\n", ANY_PS,
	        "mov oPos, v0\nrcp r0.x, v1.x\nrcp r1.x, v1.y\nslt oT0.x, r0.x, v1.x\nslt oT0.y, v1.y, r1.x\n");
}

ARENA_TEST(lanes_are_not_joined_over_their_sources)
{
	static const char body[] = "texld r0, t0, s0\nmul r1.x, r0.x, c0.x\nadd r0, r0, c1\nmul r1.yzw, r0, c0\nmad r1, r1, r0, r0\nmov oC0, r1\n";
	tidy_ps(state, body, body);
}

ARENA_TEST(products_that_are_added_become_mads)
{
	tidy_ps(state, "texld r0, t0, s0\ntexld r1, t1, s1\nmul r2, r0, c0\nadd r1, r2, r1\nmov oC0, r1\n",
	        "texld r0, t0, s0\ntexld r1, t1, s1\nmad r1, r0, c0, r1\nmov oC0, r1\n");
	tidy_ps(state, "texld r0, t0, s0\ntexld r1, t1, s1\nmul r2, r0, r0\nsub r1, r1, r2\nmov oC0, r1\n",
	        "texld r0, t0, s0\ntexld r1, t1, s1\nmad r1, -r0, r0, r1\nmov oC0, r1\n");
	tidy_ps(state, "texld r0, t0, s0\ntexld r1, t1, s1\nmul r2, r0, r0\nsub_sat r1, r2, r1\nmov oC0, r1\n",
	        "texld r0, t0, s0\ntexld r1, t1, s1\nmad_sat r1, r0, r0, -r1\nmov oC0, r1\n");
	/* The mad overwrites its operand. */
	tidy_ps(state, "texld r0, t0, s0\nmul r0, r0, c0.x\nadd r0, r0, c0.y\nmov oC0, r0\n",
	        "texld r0, t0, s0\nmad r0, r0, c0.x, c0.y\nmov oC0, r0\n");
	tidy_ps(state, "texld r0, t0, s0\nmul r1, r0, c0\nmul r0.x, r0, r0\nadd r0, r1, r0.x\nmov oC0, r0\n",
	        "texld r0, t0, s0\nmul r1, r0, c0\nmad r0, r0.x, r0.x, r1\nmov oC0, r0\n");
}

ARENA_TEST(products_that_only_sums_read_go)
{
	tidy_ps(state, "texld r0, t0, s0\ntexld r1, t1, s1\nmul r2, r0, c0\nadd r3, r2, r1\nsub r1, r1, r2\nmul r0, r3, r1\nmov oC0, r0\n",
	        "texld r0, t0, s0\ntexld r1, t1, s1\nmad r3, r0, c0, r1\nmad r1, -r0, c0, r1\nmul r0, r3, r1\nmov oC0, r0\n");
	/* The same for some of its lanes. */
	tidy_ps(state, "texld r0, t0, s0\ntexld r1, t1, s1\nmul r0.xy, r0, c0\nadd r2, r0.x, r1\nadd r1, r1, -r0.y\nmul r0, r2, r1\nmov oC0, r0\n",
	        "texld r0, t0, s0\ntexld r1, t1, s1\nmad r2, r0.x, c0.x, r1\nmad r1, -r0.y, c0.y, r1\nmul r0, r2, r1\nmov oC0, r0\n");
	/* The first sum overwrites r0, which the second mad reads: the sums write other registers. */
	tidy_ps(state, "texld r0, t0, s0\nmul r1, r0, c0\nadd r0, r1, r0\nadd r1, r1, t1\nmul r0, r0, r1\nmov oC0, r0\n",
	        "texld r0, t0, s0\nmad r2, r0, c0, r0\nmad r1, r0, c0, t1\nmul r0, r2, r1\nmov oC0, r0\n");
	/* The sum reads the product twice, or the mad would read too many constants. */
	static const char *const kept[] = {
		"texld r0, t0, s0\nmul r1, r0, r0\nadd r2, r1, r1.x\nadd r1, r1, r0\nmul r0, r2, r1\nmov oC0, r0\n",
		"texld r0, t0, s0\nmul r1, r0, c0\nadd r2, r1, r0\nadd r1, r1, c1\nmul r0, r2, r1\nmov oC0, r0\n",
	};
	for (unsigned k = 0; k < sizeof kept / sizeof *kept; k++)
		tidy_ps(state, kept[k], kept[k]);
}

#define TEXEL "texld r0, t0, s0\n"
/* Checks that 1 - sat x becomes sat(1 - x), and that 1 - x and 1 + x are computed with x, if the instruction of x takes one more addend. */
ARENA_TEST(a_value_is_taken_from_1_where_it_is_made)
{
	static const struct rewritten {
		const char *body, *want;
	} of[] = {
		{"dp2add_sat r0.w, r0, r0, c9.y\nadd r0.w, -r0.w, c9.x\n", "dp2add_sat r0.w, -r0, r0, c9.x\n"},
		{"mul_sat_pp r1.xy, r0, r0.z\nsub r0.xy, c9.x, r1\n", "mad_sat r0.xy, -r0, r0.z, c9.x\n"},
		{"mul_sat_pp r1.xy, r0, r0.z\nsub_pp r0.xy, c9.x, r1\n", "mad_pp_sat r0.xy, -r0, r0.z, c9.x\n"},
		{"mov_sat r1.x, -r0.y\nadd_pp r0.x, -c9.z, -r1.x\nadd r0.x, r0.x, c9.x\n", "add_sat r0.x, r0.y, c9\n"},
		{"mul_sat r1.w, -r0.x, r0.y\nadd_sat r0.w, -r1.w, c9.x\n", "mad_sat r0.w, r0.x, r0.y, c9.x\n"},
		/* Sums of a product's lanes, in either order and with either sign. */
		{"mul r1.xy, r0, r0\nadd_sat r1.x, r1.x, r1.y\nadd r0.w, -r1.x, c9.x\n",
		 "mad r1.x, -r0, r0, c9\nmad_sat r0.w, -r0.y, r0.y, r1.x\n"},
		{"mul_pp r1.xy, r0, t1\nsub_sat r1.x, r1.y, r1.x\nadd r0.w, c9.x, -r1.x\n",
		 "mad r1.y, -r0, t1, c9.zxyw\nmad_sat r0.w, r0.x, t1.x, r1.y\n"},
		/* A product with an addend that is computed before, or is a number whose difference from 1 is exact. */
		{"mul r1.w, r0.x, r0.x\nmad_sat r1.w, r0.y, r0.y, r1.w\nsub r0.w, c9.x, r1.w\n",
		 "mad r1.w, -r0.x, r0.x, c9.wzyx\nmad_sat r0.w, -r0.y, r0.y, r1\n"},
		{"mad_sat r1.w, r0.x, r0.y, -c8.x\nadd r0.w, -r1.w, c9.x\n", "mad_sat r0.w, -r0.x, r0.y, c11\n"},
		{"add_sat r1.xy, r0, c9.x\nadd r0.xy, -r1, c9.x\n", "mov_sat r0.xy, -r0\n"},
		/* 1 - x and 1 + x of an unclamped x; the sum itself may clamp. */
		{"mul r1.w, r0.x, r0.x\nmad r1.w, -r0.y, r0.y, -r1.w\nadd r0.w, r1.w, c9.x\n", "mad r1.w, -r0.x, r0.x, c9.wzyx\nmad r0.w, -r0.y, r0.y, r1\n"},
		{"dp2add r1.w, r0, r0, c9.y\nadd_sat r0.w, -r1.w, c9.x\n", "dp2add_sat r0.w, -r0, r0, c9.x\n"},
		/* Several readers that all compute 1 - x. */
		{"mul_sat r1.w, r0.x, r0.y\nadd r0.z, -r1.w, c9.x\nadd r0.w, -r1.w, c9.x\n", "mad_sat r0.z, -r0.x, r0.y, c9.x\nmov r0.w, r0.z\n"},
	};
	struct tidy_limits limits = {.consts = {10, 11}, .temps = 12, .choices = true};
	for (unsigned k = 0; k < sizeof of / sizeof *of; k++)
		tidy_ps_into(state, arena_printf(*state, TEXEL "%smov oC0, r0\n", of[k].body), arena_printf(*state, TEXEL "%smov oC0, r0\n", of[k].want), &limits);
}

ARENA_TEST(a_clamped_value_stays_before_other_sums)
{
	static const char *const stay[] = {
		"dp2add_sat r0.w, r0, r0, c0.x\nadd r0.w, -r0.w, c9.x\n", /* the application may set another addend */
		"mad_sat r0.w, r0.x, r0.y, r0.z\nadd r0.w, -r0.w, c9.x\n",
		"mul_sat r0.w, r0.x, r0.y\nadd r0.w, -r0.w, c8.x\n",      /* 3 - x */
		"mul_sat r0.w, r0.x, r0.y\nadd r0.w, -r0.w, c0.x\n",
		"mul_sat r0.w, r0.x, r0.y\nadd r0.w, r0.w, c9.x\n",       /* 1 + x */
		"mul_sat r1.w, r0.x, r0.y\nadd r0.w, -r1.w, c9.x\nmul r0, r0, r1.w\n", /* read twice */
		"dp3_sat r0.w, r0, r0\nadd r0.w, -r0.w, c9.x\n",
		/* The products have another reader, or are clamped themselves. */
		"mul r1.xy, r0, r0\nadd_sat r0.w, r1.x, r1.y\nadd r0.w, -r0.w, c9.x\nmul r0.xy, r0, r1\n",
		"mul_sat r1.xy, r0, t1\nadd_sat r0.w, r1.x, r1.y\nadd r0.w, -r0.w, c9.x\n",
		/* Once added and once taken away; a dp3 takes no addend. */
		"dp2add r1.w, r0, r0, c9.y\nadd r0.w, -r1.w, c9.x\nadd r0.z, r1.w, c9.x\n",
		"dp3 r1.w, r0, r0\nadd r0.w, r1.w, c9.x\n",
	};
	for (unsigned k = 0; k < sizeof stay / sizeof *stay; k++)
		tidy_ps(state, arena_printf(*state, TEXEL "%smov oC0, r0\n", stay[k]), arena_printf(*state, TEXEL "%smov oC0, r0\n", stay[k]));
}

/* Checks that a dot product loses products that are 0, and that work only for those lanes goes. */
ARENA_TEST(products_of_0_leave_dot_products)
{
	static const char *const of[][2] = {
		{"add r1, r0, t1\ndp4 r0.w, r1, c10\n", "add r1.xyz, r0, t1\ndp3 r0.w, r1, c10\n"},
		{"add r1, r0, t1\ndp4_sat_pp r0.xyz, c10, -r1\n", "add r1.xyz, r0, t1\ndp3_pp_sat r0.xyz, c10, -r1\n"},
		{"add r1.xyz, r0, t1\nmov r1.w, -c9.y\ndp4 r0.w, r1, c0\n", "add r1.xyz, r0, t1\ndp3 r0.w, r1, c0\n"},
		/* One product is left. */
		{"mul r1.x, r0, t1\nmov r1.yz, c9.y\ndp3 r0.w, c0, r1\n", "mul r1.x, r0, t1\nmul r0.w, c0.x, r1.x\n"},
		{"dp3_sat_pp r0.xw, r0, -c9.yxyy\n", "mov_pp_sat r0.xw, -r0.y\n"},
		{"dp4 r0, c12, r0\n", "mul r0, c12.z, r0.z\n"},
		{"dp2add r0.w, r0, c12.zxyw, t1.x\n", "mad r0.w, r0.x, c12.z, t1.x\n"},
		/* These stay: all products are 0; no swizzle of ps_2_0 moves the 0 to the end; w is not 0; the application sets the
		 * constant. */
		{"dp3 r0.w, r0, c9.y\n", "dp3 r0.w, r0, c9.y\n"},
		{"add r1, r0, t1\ndp4 r0.w, r1, c11\n", "add r1, r0, t1\ndp4 r0.w, r1, c11\n"},
		{"add r1, r0, t1\ndp4 r0.w, r1, c9.x\n", "add r1, r0, t1\ndp4 r0.w, r1, c9.x\n"},
		{"add r1, r0, t1\ndp4 r0.w, r1, c0\n", "add r1, r0, t1\ndp4 r0.w, r1, c0\n"},
	};
	for (unsigned k = 0; k < sizeof of / sizeof *of; k++)
		tidy_ps(state, arena_printf(*state, "def c10, 0.3, 0.6, 0.1, 0\ndef c11, 0.3, 0, 0.1, 1\ndef c12, 0, 0, 5, 0\n" TEXEL "%smov oC0, r0\n", of[k][0]),
		        arena_printf(*state, TEXEL "%smov oC0, r0\n", of[k][1]));
	tidy_vs(state, "vs_2_0\ndef c9, 0, 1, 0, 0\ndcl_position v0\ndcl_normal v1\ndp4 oPos.x, v0, c9.yyyx\nmov oPos.yzw, v0\ndp4 oT0.x, v1, c9.yyyx\n",
	        "ps_2_0\ndcl t0\nmov r0, t0.x\nmov oC0, r0\n", "dp4 oPos.x, v0, c9.yyyx\nmov oPos.yzw, v0\ndp3 oT0.x, v1, c9.y\n");
}

ARENA_TEST(mads_respect_saturation_ports_and_other_readers)
{
	static const char sat[] = "texld r0, t0, s0\nmul_sat r1, r0, r0\nadd r0, r0, r1\nmov oC0, r0\n";
	tidy_ps(state, sat, sat);
	static const char ports[] = "texld r0, t0, s0\nmul r1, r0, c0\nadd r0, r1, c1\nmov oC0, r0\n";
	tidy_ps(state, ports, ports);
	static const char twice[] = "texld r0, t0, s0\nmul r1, r0, r0\nadd r0, r0, r1\nmul r0, r0, r1\nmov oC0, r0\n";
	tidy_ps(state, twice, twice);
	static const char gone[] = "texld r0, t0, s0\nmul r1, r0, c0\nrcp r0.x, r0.x\nadd r0, r1, r0.x\nmov oC0, r0\n";
	tidy_ps(state, gone, "texld r0, t0, s0\nrcp r1.x, r0.x\nmad r0, r0, c0, r1.x\nmov oC0, r0\n");
	/* Nothing wrote r0.y. */
	static const char part[] = "texld r1, t0, s0\nmul r0.z, r1, t1\nadd r1.yz, c0, r0\nmov oC0, r1\n";
	tidy_ps(state, part, part);
}

/* --- numbers as factors and summands ---------------------------------------------- */

ARENA_TEST(times_one_and_plus_zero_go)
{
	tidy_ps(state, "texld r0, t0, s0\nmul r1, r0, c9.x\nmad r1, r1, r0, c9.y\nmad r1, r1, c9.y, t1\nmad r1, r1, -c9.x, r0\n"
	               "add r1, r1, c0\nmov oC0, r1\n",
	        "texld r0, t0, s0\nadd r1, -t1, r0\nadd r1, r1, c0\nmov oC0, r1\n");
	static const char kept[] = "texld r0, t0, s0\nmul r1, r0, c9.xy\nmad_sat r1, r1, r0, c9.x\nmov oC0, r1\n";
	tidy_ps(state, kept, kept);
}

#define LITERALS "vs_1_1\ndcl_position v0\ndcl_texcoord v1\ndef c9, 1, 0.5, 0, 0\nmov oPos, v0\n"
#define FOUR_PS "ps_2_0\ndcl t0\nmov r0, t0\nmov oC0, r0\n"

ARENA_TEST(nothing_infinite_is_multiplied_by_zero)
{
	static const char body[] = "rcp r0.x, v1.x\nmul r0.y, v1, c5\nmov oT0.x, r0\nmov oT0.y, c9.x\nmul oT0.zw, r0.xxxy, r0.y\n";
	tidy_vs(state, arena_printf(*state, LITERALS "%s", body), FOUR_PS, arena_printf(*state, "mov oPos, v0\n%s", body));
}

ARENA_TEST(noted_literals_stay)
{
	struct program *p = parse_one(*state, LITERALS "mul r0.x, v1.x, c9.y\nadd r1.x, -v1.y, c9.x\nmax oT0, r0.x, r1.x\n");
	struct folds folds = {0};
	VEC_PUSH(*state, &folds) = (struct folded){.stage = STAGE_VERTEX, .index = 9, .lane = LANE_X};
	struct tidy_limits limits = {.old = p, .consts = {20, 21}, .folds = &folds, .temps = 12, .choices = true, .regroup = true};
	assert_false(tidy_program(*state, p, NULL, &limits));
	limits.folds = NULL;
	assert_true(tidy_program(*state, p, NULL, &limits));
}

/* Checks a number that the proof knows as an expression: its sign is unknown to the proof, so that it makes no choice. */
ARENA_TEST(noted_literals_choose_nothing)
{
	for (int noted = 0; noted < 2; noted++) {
		struct program *p = parse_one(*state, "ps_2_0\ndef c8, 1, -1, 0, 0\ndcl t0\ndcl t1\ndcl_2d s0\nmul r0, t0, c8\ntexld r0, r0, s0\n"
		                                      "mov r2.x, r0.w\nmov r2.y, t0.y\ntexld r2, r2, s0\nmov oC0, r2\n");
		struct folds folds = {0};
		VEC_PUSH(*state, &folds) = (struct folded){.stage = STAGE_PIXEL, .index = 8, .lane = LANE_Y};
		struct tidy_limits limits = {.old = p, .consts = {20, 21}, .folds = noted ? &folds : NULL, .temps = 12, .choices = true, .regroup = true};
		assert_true(tidy_program(*state, p, NULL, &limits));
		assert_non_null(strstr(instrs_of(*state, p), noted ? "cmp r2.xy, c21, r0.w, t0.y\n" : "cmp r2.xy, c8, r0.w, t0.y\n"));
	}
}

/* Checks that a warning about three reads of one constant is not exchanged for an error about reads of two constants. */
ARENA_TEST(no_warning_goes_for_an_error)
{
	static const char line[] = "mad r2.x, c8, c8.yzxw, c8.zxyw\n";
	struct program *p = parse_one(*state, arena_printf(*state, "ps_2_0\ndef c7, 0.5, 3, 0, 0\ndef c8, 1, -2, 3, 0\ndcl t0\ndcl_2d s0\n"
	                                                   "%smov r2.y, t0\ntexld r2, r2, s0\nmov oC0, r2\n", line));
	struct folds folds = {0};
	VEC_PUSH(*state, &folds) = (struct folded){.stage = STAGE_PIXEL, .index = 8, .lane = LANE_Y};
	struct tidy_limits limits = {.old = p, .consts = {0, -1}, .folds = &folds, .temps = 12, .choices = true, .regroup = true};
	tidy_program(*state, p, NULL, &limits);
	assert_non_null(strstr(instrs_of(*state, p), line));
}

/* Checks lanes that only a new def can join: c[a0.x + 4] may read any constant, so that there is no room for a def, unless the user
 * named constants that it does not read. */
ARENA_TEST(addressed_constants_leave_no_room)
{
	struct move_options o = move_options_default(VS_1_1, PS_2_0);
	for (unsigned way = 0; way < 4; way++) {
		bool const addressed = way & 1;
		o.budget.vs_consts_given = way & 2;
		struct program *p = parse_one(*state, arena_printf(*state, "vs_1_1\ndef c2, 3, 0, 0, 0\ndcl_position v0\ndcl_texcoord v1\nmov oPos, v0\n%s"
		                                                   "mul r0.x, v1.x, c2.x\nadd r1.x, -v1.y, c2.x\nmax oT0, r0.x, r1.x\n",
		                                                   addressed ? "mov a0.x, v1.x\nadd oT1, v1, c[a0.x + 4]\n" : ""));
		struct tidy_limits const limits = tidy_limits_of(program_copy(*state, p), false, &o, NULL);
		tidy_program(*state, p, NULL, &limits);
		assert_int_equal(strstr(instrs_of(*state, p), "mad") != NULL, !addressed || o.budget.vs_consts_given);
	}
}

/* --- lanes of several registers --------------------------------------------------- */

ARENA_TEST(lanes_of_two_registers_are_packed)
{
	tidy_vs(state, QUAD "mul r0.xy, v1, c5\nmul r1.xy, v1.zwzw, c5.zwzw\nadd oT0.xy, r0, r1\nmul oT1.xy, r0, r1\n", ANY_PS,
	        "mov oPos, v0\nmul r0, v1, c5\nadd oT0.xy, r0, r0.zw\nmul oT1.xy, r0, r0.zw\n");
	/* Literals, in any free lanes: r0.zw and r1.xy are not free. */
	tidy_vs(state,
	        LITERALS "mul r0.xy, v1, c9.y\nmov r0.zw, v0\nmul r1.zw, v1, -c9.y\nmad r1.xy, v0, v0, v0.z\nadd oT0.xy, r0, r1.zwzw\n"
	                 "mul oT1, r0.zwxy, r1.yxzw\nadd oT2.xy, r1, r0\n",
	        "ps_2_0\ndcl t0.xy\ndcl t1\ndcl t2.xy\nadd r0, t0.xyyy, t1\nadd r0, r0, t2.xyyy\nmov oC0, r0\n",
	        "mov oPos, v0\nmul r0.xy, v1, c9.y\nmov r0.zw, v0\nmul r1.zw, v1, -c9.y\nmad r1.xy, v0, v0, v0.z\n"
	        "add oT0.xy, r0, r1.zwzw\nmul oT1, r0.zwxy, r1.yxzw\nadd oT2.xy, r1, r0\n");
}

#define READ_BOTH "texld r0, t0, s0\ntexld r1, t1, s1\n"
#define ADD_UP "texld r2, r2, s0\ntexld r3, r3, s0\nmad r0, r0, r2, r3\nmov oC0, r0\n"

ARENA_TEST(pixel_lanes_with_numbers_become_one)
{
	struct tidy_limits limits = {.consts = {20, 21}, .temps = 12, .choices = true, .regroup = true}, full = {.consts = {0, -1}, .temps = 12, .choices = true, .regroup = true};
	/* c9 = (1, 0, 0, 0) serves (1, 0) and (0, 1), but not (1, -1). */
	static const char body[] = READ_BOTH "add r2.x, r1.x, c9.x\nmov r2.y, r1.y\nmov r3.x, r1.x\nadd r3.y, r1.y, c9.x\n" ADD_UP;
	static const char want[] = READ_BOTH "add r2.xy, r1, c9\nadd r1.y, r1.y, c9.x\ntexld r2, r2, s0\ntexld r3, r1, s0\nmad r0, r0, r2, r3\nmov oC0, r0\n";
	tidy_ps_into(state, body, want, &limits);
	tidy_ps_into(state, body, want, &full);
	static const char signs[] = READ_BOTH "add r2.x, r1.x, c9.x\nadd r2.y, r1.y, -c9.x\nmul r3, r0, r0\n" ADD_UP;
	tidy_ps_into(state, signs, READ_BOTH "add r2.xy, r1, c21\nmul r3.xy, r0, r0\n" ADD_UP, &limits);
	tidy_ps_into(state, signs, READ_BOTH "add r2.x, r1.x, c9.x\nadd r2.y, r1.y, -c9.x\nmul r3.xy, r0, r0\n" ADD_UP, &full);
}

ARENA_TEST(pixel_values_are_not_multiplied_by_zero)
{
	struct tidy_limits limits = {.consts = {20, 21}, .temps = 12, .choices = true, .regroup = true};
	static const char body[] = READ_BOTH "mul r2.x, r1.x, c0.x\nmov r2.y, c9.y\nadd r3.xy, r1, r2\nmov r2.x, c9.x\n" ADD_UP;
	tidy_ps_into(state, body, body, &limits);
}

ARENA_TEST(movs_of_two_registers_are_a_choice)
{
	struct tidy_limits limits = {.consts = {20, 21}, .temps = 12, .choices = true, .regroup = true};
	static const char two[] = READ_BOTH "mov r2.x, r0.w\nmov r2.y, t0.y\nadd r3.xy, r1, c0\n" ADD_UP;
	struct program *p = tidy_ps_into(state, two, READ_BOTH "cmp r2.xy, c21, r0.w, t0.y\nadd r3.xy, r1, c0\n" ADD_UP, &limits);
	assert_true(program_decl(p, REG_CONST, 21)->value[0] > 0 && program_decl(p, REG_CONST, 21)->value[1] < 0);
	/* A choice reads three lanes of one register in place, if something wrote the fourth. */
	tidy_ps_into(state, READ_BOTH "mov r2.xyz, -r0\nmov r2.w, r1.x\nmad r1, r2, r0, r1\nmul r1, r1, r2\nmov oC0, r1\n",
	             READ_BOTH "cmp r2, c21, -r0, r1.x\nmad r1, r2, r0, r1\nmul r1, r1, r2\nmov oC0, r1\n", &limits);
	/* It does so with a t# whose fourth lane the VP writes. */
	static const char hole[] = READ_BOTH "mov r2.xyw, t0\nmov r2.z, r1.x\nmul r1, r1, r2\nmul r0, r0, r1\nmov oC0, r0\n";
	tidy_ps_into(state, hole, hole, &limits);
	limits.written[0] = MASK_XYZW;
	tidy_ps_into(state, hole, READ_BOTH "cmp r2, c21, t0, r1.x\nmul r1, r1, r2\nmul r0, r0, r1\nmov oC0, r0\n", &limits);
	/* Only the mov that goes writes r2.y: it is not read beside r2.w. */
	tidy_ps_into(state, READ_BOTH "mov r2.y, t0\nexp r2.w, t1.w\nmov r2.w, -r2\nmul r1.yw, r1, r2\nmul r0, r0, r1\nmov oC0, r0\n",
	             READ_BOTH "exp r2.w, t1.w\ncmp r2.yw, c21, t0.y, -r2.w\nmul r1.yw, r1, r2\nmul r0, r0, r1\nmov oC0, r0\n", &limits);
	limits.choices = false;
	tidy_ps_into(state, two, two, &limits);
}

ARENA_TEST(equal_lanes_share_a_register)
{
	tidy_vs(state,
	        QUAD "mov r0.xy, c5\nmul oT0.xy, r0, c6\nmov r1.xz, c5.yyww\nmul oT1.xyz, r1.xzxw, c7\nmov r2.y, c5.x\nmul oT1.w, r2.y, c8.x\n",
	        "ps_2_0\ndcl t0.xy\ndcl t1\nmul r0, t0.x, t1\nmul r0, r0, t0.y\nmov oC0, r0\n",
	        "mov oPos, v0\nmov r0.xyz, c5.xyw\nmul oT0.xy, r0, c6\nmul oT1.xyz, r0.yzy, c7\nmul oT1.w, r0.x, c8.x\n");
}

ARENA_TEST(packed_lanes_wait_for_their_sources)
{
	/* v1 * c5 could replace v1.zw * c5, but r2 is not written yet where r0 is read. */
	static const char kept[] = "mul r0.xy, v1, c5\nadd oT0.xy, r0, v0\nrcp r2.x, r0.x\nmul r1.xy, r2.x, c5\nadd oT1.xy, r1, v0\n"
	                           "mul oT2.xy, r1, r0\n";
	tidy_vs(state, arena_printf(*state, QUAD "%s", kept), ANY_PS, arena_printf(*state, "mov oPos, v0\n%s", kept));
}

ARENA_TEST(lanes_that_are_there_are_not_moved_again)
{
	tidy_ps(state, READ_BOTH "mov r0.w, r0\nmul r0, r0, r1\nmov oC0, r0\n", READ_BOTH "mul r0, r0, r1\nmov oC0, r0\n");
	/* All lanes move or none: a mov of some of them would block the instruction that computes them. */
	tidy_ps(state, READ_BOTH "dp3_sat r2.x, r0, r1\nmov r2, r2.x\nmul r0, r0, r2\nmov oC0, r0\n",
	        READ_BOTH "dp3_sat r2.x, r0, r1\nmul r0, r0, r2.x\nmov oC0, r0\n");
	struct tidy_limits limits = {.consts = {0, -1}, .temps = 12, .choices = true, .regroup = true};
	tidy_ps_into(state, "mov r0.x, c0.y\nmul r1.x, r0.x, c1.x\nmov r0.xy, c0.y\nmad r1.xy, r0, c1, r1.x\nmov r1.zw, t0\nmov oC0, r1\n",
	             "mov r0.x, c0.y\nmul r1.x, r0.x, c1.x\nmad r1.xy, r0.x, c1, r1.x\nmov r1.zw, t0\nmov oC0, r1\n", &limits);
}

/* --- declarations, comments, order ------------------------------------------------ */

ARENA_TEST(declarations_that_lost_their_use_go)
{
	struct program *p = parse_one(*state,
	                              "ps_2_0\n// kept words\ndef c0, 1, 0, 0, 0\ndef c1, 2, 0, 0, 0\ndcl t0.xy\ndcl t1.xy\ndcl_2d s0\n"
	                              "// dead\nmul r1.xy, t1, c0\ntexld r0, t0, s0\nmov oC0, r0\n");
	assert_true(tidy_program(*state, p, NULL, NULL));
	assert_string_equal(text_of(*state, p),
	                    "ps_2_0\n// kept words\ndef c1, 2, 0, 0, 0\ndcl t0.xy\ndcl_2d s0\n"
	                    "// dead\ntexld r0, t0, s0\nmov oC0, r0\n");
}

ARENA_TEST(texture_reads_get_no_deeper)
{
	struct program *p = parse_one(*state,
	                              "ps_2_0\ndcl t0.xy\ndcl_2d s0\n"
	                              "texld r0, t0, s0\ntexld r0, r0, s0\ntexld r0, r0, s0\ntexld r0, r0, s0\nmov r1, r0\n"
	                              "mul r0, t0.x, c0.x\ntexld r0, r0, s0\nmul r0, r0, r1\nmov oC0, r0\n");
	unsigned order = program_dependent_reads(p);
	tidy_program(*state, p, NULL, NULL);
	assert_in_range(program_dependent_reads(p), 0, order);
}

/* Checks that lanes copied beside an operation are kept in the register they come from. */
ARENA_TEST(registers_that_a_mov_joins_are_one)
{
	tidy_ps(state, "texld r0, t0, s0\ntexld r1, t1, s1\nmul r2.xyz, r0, r1\nmov r2.w, r0.w\nmov oC0, r2\n",
	        "texld r0, t0, s0\ntexld r1, t1, s1\nmul r0.xyz, r0, r1\nmov oC0, r0\n");
	/* The register's own xyz are read later: a third register takes the lanes. */
	tidy_ps(state, "texld r0, t0, s0\ndp3 r1.x, t0, t0\nmul r1.yzw, r1.x, r0\nmov r2.yzw, r1\nmul r1.yzw, t1.x, r1\nrcp r2.x, r1.y\n"
	               "mul r1.yzw, r1, r2.x\nmul r2, r2, r1.wzyx\nmov oC0, r2\n",
	        "texld r0, t0, s0\ndp3 r1.x, t0, t0\nmul r0.yzw, r1.x, r0\nmul r1.yzw, t1.x, r0\nrcp r0.x, r1.y\nmul r1.yzw, r1, r0.x\n"
	        "mul r2, r0, r1.wzyx\nmov oC0, r2\n");
}

/* Checks the normal of a texture whose x is stored in alpha. */
ARENA_TEST(lanes_are_turned_so_that_no_mov_is_needed)
{
	tidy_ps(state, "texld r0, t0, s0\nmov r0.x, r0.w\nmad r1.xy, r0, c0.x, c0.y\nmad r0.x, -r1, r1, c0.z\nmad_sat r0.x, -r1.y, r1.y, r0\n"
	               "rsq r0.x, r0.x\nrcp r1.z, r0.x\ndp3 r0.x, r1, t1\nmov r0, r0.x\nmov oC0, r0\n",
	        "texld r0, t0, s0\nmad r0.zw, r0.zxyw, c0.x, c0.y\nmad r0.x, -r0.w, r0.w, c0.z\nmad_sat r0.x, -r0.z, r0.z, r0\n"
	        "rsq r0.x, r0.x\nrcp r0.y, r0.x\ndp3 r0, r0.wzyx, t1\nmov oC0, r0\n");
	/* The lanes turn in the first way for which the model has a swizzle. */
	tidy_ps(state, "texld r0, t0, s0\nmov r0.z, r0.w\nmad r1.xyz, r0, c0.x, c0.y\nmul r0.xyz, r1.x, t1\nmul r0.w, r1.y, r1.z\nmov oC0, r0\n",
	        "texld r0, t0, s0\nmad r1.yzw, r0.zxyw, c0.x, c0.y\nmul r0.xyz, r1.y, t1\nmul r0.w, r1.z, r1\nmov oC0, r0\n");
	/* These stay: a texture read takes no swizzle; another instruction reads the copy, too; alpha is overwritten. */
	static const char *const kept[] = {
		"mad r1.xy, r0, c0.x, c0.y\ntexld r1, r1, s1\nmov oC0, r1\n",
		"texld r1, r0, s1\nmov oC0, r1\n",
		"mad r1.xy, r0, c0.x, c0.y\ndp3 r0.x, r0, t1\nmul r2.xyz, r1.x, t1\nmul r2.w, r1.y, r0.x\nmov oC0, r2\n",
		"mul r0.w, r0.w, r0.z\nmad r1.xy, r0, c0.x, c0.y\nmul r0.yzw, r0, t1\nmul r0.yz, r0, r1.x\nmul r0.x, r1.y, t1.x\nmov oC0, r0\n",
	};
	for (size_t k = 0; k < sizeof kept / sizeof *kept; k++) {
		char *body = arena_printf(*state, "texld r0, t0, s0\nmov r0.x, r0.w\n%s", kept[k]);
		tidy_ps(state, body, body);
	}
}

/* Checks lanes that are overwritten, or left undefined, while their old value is still read. */
ARENA_TEST(registers_are_one_where_no_lane_is_lost)
{
	struct tidy_limits limits = {.consts = {20, 21}, .temps = 12, .choices = true, .regroup = true};
	static const char over[] = "texld r0, t0, s0\nmov r1.x, r0.y\nrcp r0.y, r0.w\nmul r2, r0, t1\nmad r0, r2, r1.x, r0\nmov oC0, r0\n";
	tidy_ps_into(state, over, over, &limits);
	tidy_ps_into(state, "max r0.z, t0.z, t0.x\nsincos r1.y, t1.x, c1, c2\nadd r0.z, r0.z, c9.x\nadd r1.y, r1.y, c9.x\nmul r2, r0.z, t1\n"
	                    "mad r2, r2, r1.y, t1\nmov oC0, r2\n",
	             "max r1.w, t0.z, t0.x\nsincos r1.y, t1.x, c1, c2\nadd r1.yw, r1, c9.x\nmul r2, r1.w, t1\nmad r2, r2, r1.y, t1\nmov oC0, r2\n", &limits);
}

/* Checks that movs of one number are joined, for registers that are not live at the same time, such as the 1 of a normal and of a
 * colour. */
ARENA_TEST(movs_of_constants_are_one)
{
	struct tidy_limits limits = {.consts = {20, 21}, .temps = 12, .choices = true, .regroup = true};
	tidy_ps_into(state, "texld r0, t0, s0\nmul r1.xy, r0, t1\nmov r1.z, c9.y\ndp3 r2.x, r1, t2\nmul r3.xyz, r2.x, r0\nmov r3.w, c9.x\nmov oC0, r3\n",
	             "texld r0, t0, s0\nmul r1.xy, r0, t1\nmov r1.zw, c9.wzyx\ndp3 r2.x, r1, t2\nmul r1.xyz, r2.x, r0\nmov oC0, r1\n", &limits);
	/* Both numbers are in lane w, and the first is live when the second is written. */
	const char *both = "texld r0, t0, s0\nmul r1.xyz, r0, t1\nmov r1.w, c8.x\ndp4 r2.x, r1, t2\nmul r3.xyz, r2.x, r0\nmov r3.w, c9.x\nmad r0, r1, r0, r3\n"
			   "mov oC0, r0\n";
	tidy_ps_into(state, both, both, &limits);
}

ARENA_TEST(registers_with_busy_lanes_stay_two)
{
	/* r0.xyz is read behind the product. */
	const char *busy = "texld r0, t0, s0\nmul r1.xyz, r0, t1\nmov r1.w, r0.w\nmul r1.xyz, r1, r0\ntexld r2, t1, s0\nadd r0, r2, r0.x\n"
			   "mad r1, r0, r0.w, r1\nmov oC0, r1\n";
	tidy_ps(state, busy, busy);
	/* sincos leaves r1.z undefined. */
	const char *sines = "mul r0.z, t0.z, t0.x\nmul r0.x, r0.z, r0.z\nsincos r1.xy, r0.x, c1, c2\nmov r1.z, r0.z\nmul r1.xyz, r1, r0.z\n"
			    "mov r1.w, c3.w\nmov oC0, r1\n";
	tidy_ps(state, sines, sines);
	/* A register that nothing wrote keeps its number. */
	const char *unwritten = "mov r2.x, r1\nadd r1.x, c3, t0\nmad r0.x, r2, c1, t0\nmad r0.x, r1, c1, r0\nmov r0, r0.x\nmov oC0, r0\n";
	tidy_ps(state, unwritten, "mov r2.x, r1\nadd r1.x, c3, t0\nmad r0.x, r2, c1, t0\nmad r0, r1.x, c1.x, r0.x\nmov oC0, r0\n");
}

/* Checks that scalar instructions of one opcode become one vector instruction, with their operands in lanes of one register. */
ARENA_TEST(scalars_become_vectors)
{
	struct tidy_limits limits = {.consts = {20, 21}, .temps = 12, .choices = true, .regroup = true};
	tidy_ps_into(state,
	             "texld r0, t0, s0\ndp3 r1.x, r0, t1\nmax r1.x, r1.x, c9.y\nmul r2, r0, r1.x\ndp3 r1.x, r0, r0\nmax r3.x, r1.x, c9.y\n"
	             "mad r2, r3.x, r0, r2\nmov oC0, r2\n",
	             "texld r0, t0, s0\ndp3 r1.x, r0, t1\ndp3 r1.y, r0, r0\nmax r1.xy, r1, c9.y\nmul r2, r0, r1.x\nmad r2, r1.y, r0, r2\nmov oC0, r2\n",
	             &limits);
	/* Numbers of two defs join in one. */
	tidy_ps_into(state,
	             "texld r0, t0, s0\ndp3 r1.x, r0, t1\nadd r1.x, r1.x, c9.x\nrcp r1.x, r1.x\nmul r2, r0, r1.x\ndp3 r1.x, r0, r0\nadd r3.x, r1.x, c8.x\n"
	             "rcp r3.x, r3.x\nmad r2, r3.x, r0, r2\nmov oC0, r2\n",
	             "texld r0, t0, s0\ndp3 r1.x, r0, t1\ndp3 r1.y, r0, r0\nadd r1.xy, r1, c21\nrcp r1.x, r1.x\nmul r2, r0, r1.x\nrcp r3.x, r1.y\n"
	             "mad r2, r3.x, r0, r2\nmov oC0, r2\n",
	             &limits);
}

/* Cosines of two lights. */
#define LIGHTS(c4) "dp3 r1.x, v0, c1\nmax r1.x, r1.x, c9.x\nmul r2.xyz, r1.x, c2\ndp3 r1.x, v0, c3\nmax r1.x, r1.x, c9.x\nmad oD0.xyz, r1.x, " c4 ", r2\n"
ARENA_TEST(scalars_of_vertices_become_vectors)
{
	tidy_vs(state, QUAD LIGHTS("c4"), ANY_PS,
	        "mov oPos, v0\ndp3 r1.x, v0, c1\ndp3 r1.y, v0, c3\nmax r1.xy, r1, c9.x\nmul r2.xyz, r1.x, c2\nmad oD0.xyz, r1.y, c4, r2\n");
	/* Two operands read the square root: if it goes for one, it goes for the other, too. */
	tidy_vs(state, QUAD "dp3 r1.x, v0, v0\nrsq r2.x, r1.x\nrcp r3.x, r1.x\nadd r4.x, r2.x, r3.x\nadd r5.x, r2.x, r2.x\nmul oT0, v1, r4.x\nmul oT1, v1, r5.x\n",
	        ANY_PS, "mov oPos, v0\ndp3 r1.x, v0, v0\nrsq r3.y, r1.x\nrcp r3.x, r1.x\nadd r4.xy, r3.y, r3\nmul oT0, v1, r4.x\nmul oT1, v1, r4.y\n");
	/* A reader of an address stays behind the address. */
	tidy_vs(state, QUAD "mov a0.x, v0.w\n" LIGHTS("c[a0.x + 4]"), ANY_PS,
	        "mov oPos, v0\nmov a0.x, v0.w\ndp3 r1.x, v0, c1\ndp3 r1.y, v0, c3\nmax r1.xy, r1, c9.x\nmul r2.xyz, r1.x, c2\n"
	        "mad oD0.xyz, r1.y, c[a0.x + 4], r2\n");
}

ARENA_TEST(scalars_stay_apart)
{
	struct tidy_limits limits = {.consts = {20, 21}, .temps = 12, .choices = true, .regroup = true};
	/* One instruction reads the other, or the operands are lanes of a texel, which stay in place. */
	const char *chain = "texld r0, t0, s0\nmax r0.x, r0.x, c0.x\nrcp r0.x, r0.x\nmax r0.y, r0.x, c0.x\nmul r0, r0.x, r0.y\nmov oC0, r0\n";
	tidy_ps_into(state, chain, chain, &limits);
	const char *texels = "texld r0, t0, s0\ntexld r1, t1, s1\nmax r2.x, r0.x, c0.x\nmax r2.y, r1.x, c0.x\ndp3 r3.x, r2.x, r0\nmad r0, r2.y, r3.x, r1\nmov oC0, r0\n";
	tidy_ps_into(state, texels, texels, &limits);
}

/* Checks that lanes of one constant are read one by one where movs brought them, as no swizzle does. */
ARENA_TEST(lanes_of_one_constant_need_no_movs)
{
	static const char *const cases[][2] = {
		{"mov r2.x, c1.z\nmov r2.y, -c1.w\nmad r1.xy, r0, c1, r2\n", "mad r1.x, r0, c1, c1.z\nmad r1.y, r0, c1, -c1.w\n"},
		{"mov r2.x, c1.w\nmov r2.y, c1.y\nmul r0.xy, r0, -r2\n", "mul r0.x, r0, -c1.w\nmul r0.y, r0, -c1\n"},
		/* These stay: another constant, one mov for two lanes, another reader, a lane that is overwritten. */
		{"mov r2.x, c1.z\nmov r2.y, c1.w\nmad r1.xy, r0, c0, r2\n", NULL},
		{"mov r2.x, c1.z\nmov r2.y, c1.w\nmad r1.xy, r0, r2, c0\nadd r1.xy, r1, r2\n", NULL},
		{"mov r2.x, c1.z\nmov r2.y, c1.w\nmad r0.xy, r0.wzyx, c1, r2\nmul r1.xy, r0, r1\n", "mad r0.x, r0.w, c1, c1.z\nmad r0.y, r0.z, c1, c1.w\nmul r1.xy, r0, r1\n"},
		{"mov r2.x, c1.z\nmov r2.y, c1.w\nmad r0.xy, r0.yzxw, c1, r2\nmul r1.xy, r0, r1\n", NULL},
	};
	for (unsigned k = 0; k < sizeof cases / sizeof *cases; k++) {
		const char *read = "texld r0, t0, s0\ntexld r1, t1, s1\n", *end = "mul r1, r1, r0\nmov oC0, r1\n";
		struct tidy_limits limits = {.consts = {20, 21}, .temps = 12, .choices = true, .regroup = true};
		tidy_ps_into(state, arena_printf(*state, "%s%s%s", read, cases[k][0], end),
		             arena_printf(*state, "%s%s%s", read, cases[k][1] ? cases[k][1] : cases[k][0], end), &limits);
	}
}

/* Checks products with a choice between 0, 1 and -1 that has no other reader. */
ARENA_TEST(products_are_choices)
{
	static const char *const cases[][2] = {
		{"cmp r2.x, r0.x, c9.x, c9.y\nmul r1, r2.x, r1\n", "cmp r1, r0.x, r1, c9.y\n"},
		{"cmp r2.xy, r0, c9.y, c9.x\nmul_sat r1.xy, -r1.wzyx, r2\n", "cmp_sat r1.xy, r0, c9.y, -r1.wzyx\n"},
		{"cmp r2.x, r0.x, c9.x, -c9.x\nmul r1, r1, -r2.x\n", "cmp r1, r0.x, -r1, r1\n"},
		{"cmp r2.x, r0.x, -c9.x, c9.y\nmul r1, r2.x, -r1\n", "cmp r1, r0.x, r1, c9.y\n"},
		{"cmp r2.x, r0.x, c9.x, c8.x\nmul r1, r2.x, r1\n", NULL}, /* a choice of 3 */
		{"cmp r2.x, r0.x, c9.x, c9.y\nmul r1.xyz, r2.x, c0\n", NULL}, /* two constants */
		{"cmp r2.x, r0.x, c9.x, c9.y\nmul r1.xyz, r2.x, r1\nadd r1.w, r1, r2.x\n", NULL},
		{"cmp r2.x, r0.x, c9.x, c9.y\nrcp r0.x, r0.y\nmul r1, r2.x, r1\nmax r1, r1, r0.x\n",
		 "rcp r2.x, r0.y\ncmp r1, r0.x, r1, c9.y\nmax r1, r1, r2.x\n"},
		{"cmp r2.xy, r0.x, c9, c9.y\nmul r1.xy, r2, r1\n", NULL},
	};
	for (unsigned k = 0; k < sizeof cases / sizeof *cases; k++) {
		const char *read = "texld r0, t0, s0\ntexld r1, t1, s1\n", *end = "mov oC0, r1\n";
		struct tidy_limits limits = {.consts = {0, -1}, .temps = 12, .choices = true, .regroup = true}, dear = {.consts = {0, -1}, .temps = 12, .regroup = true};
		const char *body = arena_printf(*state, "%s%s%s", read, cases[k][0], end);
		tidy_ps_into(state, body, arena_printf(*state, "%s%s%s", read, cases[k][1] ? cases[k][1] : cases[k][0], end), &limits);
		tidy_ps_into(state, body, body, &dear);
	}
}

/* Checks that a sum of two lanes, each a product with no other reader, becomes two mads. */
ARENA_TEST(sums_of_two_products_are_two_mads)
{
	static const char *const cases[][2] = {
		{"mul r2.x, r0.x, r1.z\nmul r2.y, r0.w, r0.z\nadd r3.xy, r2, c0\n", "mad r3.x, r0, r1.z, c0\nmad r3.y, r0.w, r0.z, c0\n"},
		{"mul r2.x, r0.x, r1.z\nmul r2.w, r0.w, r0.z\nadd r3.xy, c0, -r2.wx\n", "mad r3.x, -r0.w, r0.z, c0\nmad r3.y, -r0.x, r1.z, c0\n"},
		{"mul r2.x, r0.x, r1.z\nmul r2.y, r0.w, r0.z\nadd r3.xy, r2, c0\nadd r3.x, r3, r2.y\n", NULL},
		{"mul_sat r2.x, r0.x, r1.z\nmul r2.y, r0.w, r0.z\nadd r3.xy, r2, c0\n", NULL},
		{"mul r2.x, r0.x, r1.z\nadd r2.y, r0.w, r0.z\nadd r3.xy, r2, c0\n", NULL},
		{"mul r2.x, r1.x, c1.z\nmul r2.y, r0.w, c2.z\nadd r3.xy, r2, c0\n", NULL}, /* two constants in one instruction */
	};
	for (unsigned k = 0; k < sizeof cases / sizeof *cases; k++) {
		const char *read = "texld r0, t0, s0\ntexld r1, t1, s1\n", *end = "rcp r3.z, r3.x\nrcp r3.w, r3.y\nmov oC0, r3\n";
		struct tidy_limits limits = {.consts = {0, -1}, .temps = 12};
		tidy_ps_into(state, arena_printf(*state, "%s%s%s", read, cases[k][0], end),
		             arena_printf(*state, "%s%s%s", read, cases[k][1] ? cases[k][1] : cases[k][0], end), &limits);
	}
}

/* Checks that a factor of a vector goes if the vector is normalised next, unless the product has another reader or the factor may keep
 * it in range. */
ARENA_TEST(factors_of_normalised_vectors_cancel)
{
#define ROOT "dp3 r1.w, r1, r1\nrsq r1.w, r1.w\n"
	static const char *const cases[][2] = {
		{"mul r1.xyz, r0, c8.x\nnrm r2.xyz, r1\n", "nrm r2.xyz, r0\n"},
		{"add r1.xyz, r0, r0\nnrm r2.xyz, r1\n", "nrm r2.xyz, r0\n"},
		{"mul r1.xyz, r0, -c8.x\nnrm r2.xyz, r1\n", "nrm r2.xyz, -r0\n"},
		{"mul r1.xyz, r0, c8.x\n" ROOT "mul r2.xyz, r1, r1.w\n", "dp3 r1.w, r0, r0\nrsq r1.w, r1.w\nmul r2.xyz, r0, r1.w\n"},
		{"mul r1.xyz, r0, c8.x\n" ROOT "mad r2.xyz, r1, r1.w, r0\n", "dp3 r1.w, r0, r0\nrsq r1.w, r1.w\nmad r2.xyz, r0, r1.w, r0\n"},
		{"mul r1.xyz, r0, c8.x\n" ROOT "mad r2.xyz, r1, r1.w, r1\n", NULL},
		{"mul r1.xyz, r0, c8.x\n" ROOT "mul r2.xyz, r0, r1.w\n", NULL}, /* multiplied by another vector */
		{"mul r1.xyz, r0, c8.x\n" ROOT "add r2.xyz, r1, r1.w\n", NULL},
		{"mul r1.xyz, r0, c8.x\nnrm r2.xyz, r1\nadd r2.xyz, r2, r1\n", NULL},
		{"mul r1.xyz, r0, c8\nnrm r2.xyz, r1\n", NULL}, /* scales one lane only */
		{"mul_sat r1.xyz, r0, c8.x\nnrm r2.xyz, r1\n", NULL},
		{"mul r1.xyz, r0, c0.x\nnrm r2.xyz, r1\n", NULL}, /* the application may set it below 0 */
		{"mul_pp r1.xyz, r0, c8.x\nnrm_pp r2.xyz, r1\n", NULL},
		{"mul r1.xyz, r0, c7.x\nnrm r2.xyz, r1\n", NULL}, /* 100, which may keep it in range */
	};
#undef ROOT
	for (unsigned k = 0; k < sizeof cases / sizeof *cases; k++) {
		const char *read = "def c7, 100, 0, 0, 0\ntexld r0, t0, s0\n", *end = "mov r2.w, t1.w\nmad r2, r2, c0, r0\nmov oC0, r2\n";
		struct tidy_limits limits = {.consts = {0, -1}, .temps = 12};
		const char *want = arena_printf(*state, "%s%s%s", strchr(read, '\n') + 1, cases[k][1] ? cases[k][1] : cases[k][0], end);
		tidy_ps_into(state, arena_printf(*state, "%s%s%s", read, cases[k][0], end), want, &limits);
	}
}

/* Checks that a sum of two choices by the signs of one value, as in sign(x), becomes one of them, unless the value may be NaN. */
ARENA_TEST(sums_of_signs_are_choices)
{
	static const char *const cases[][2] = {
		{"cmp r2.x, -r0.x, c9.y, c9.x\ncmp r2.y, r0.x, c9.y, -c9.x\nadd r1.w, r2.x, r2.y\n", "cmp r2.y, r0.x, c9.y, -c9.x\ncmp r1.w, -r0.x, r2.y, c9.x\n"},
		{"add r0.x, r0.x, -c0.x\ncmp r2.x, -r0.x, c9.y, c9.x\ncmp r2.y, r0.x, c9.y, c8.x\nadd_sat r1.w, -r2.x, r2.y\n",
		 "add r0.x, r0.x, -c0.x\ncmp r2.y, r0.x, c9.y, c8.x\ncmp_sat r1.w, -r0.x, r2.y, -c9.x\n"},
		{"add r0.x, r0.x, r1.x\ncmp r2.x, -r0.x, c9.y, c9.x\ncmp r2.y, r0.x, c9.y, -c9.x\nadd r1.w, r2.x, r2.y\n", NULL}, /* a texel may be NaN */
		{"dp3 r0.x, r0, r0\ncmp r2.x, -r0.x, c9.y, c9.x\ncmp r2.y, r0.x, c9.y, -c9.x\nadd r1.w, r2.x, r2.y\n", NULL}, /* inf - inf is NaN */
		{"cmp r2.x, r0.x, c9.y, c9.x\ncmp r2.y, r0.y, c9.y, -c9.x\nadd r1.w, r2.x, r2.y\n", NULL},
		{"cmp r2.x, -r0.x, c9.y, c9.x\ncmp r2.y, r0.y, c9.y, -c9.x\nadd r1.w, r2.x, r2.y\n", NULL},
		{"cmp r2.x, -r0.x, c9.x, c8.x\ncmp r2.y, r0.x, c9.y, -c9.x\nadd r1.w, r2.x, r2.y\n", NULL}, /* gives 1 at 0 */
		{"cmp r2.x, -r0.x, c9.y, c9.x\ncmp r2.y, r0.x, c9.y, -c9.x\nadd r1.w, r2.x, r2.y\nadd r1.z, r2.x, -r2.y\n", NULL}, /* both read twice */
	};
	for (unsigned k = 0; k < sizeof cases / sizeof *cases; k++) {
		const char *read = "texld r0, t0, s0\ntexld r1, t1, s1\n", *end = "mov oC0, r1\n";
		struct tidy_limits limits = {.consts = {0, -1}, .temps = 12, .choices = true, .finite_textures = 1};
		tidy_ps_into(state, arena_printf(*state, "%s%s%s", read, cases[k][0], end),
		             arena_printf(*state, "%s%s%s", read, cases[k][1] ? cases[k][1] : cases[k][0], end), &limits);
	}
}

/* Checks that a number is made by the product or sum of literals beside it: as 0 times a finite value, plus the number. */
ARENA_TEST(numbers_are_made_beside_products)
{
	static const char *const cases[][2] = {
		{"mov r1.x, t1.z\nmov r1.y, c9.x\n", "mad r1.xy, t1.z, c9, c9.zxyw\n"},
		{"mul r1.x, t1.w, c8.x\nmov r1.y, c9.x\n", "mad r1.xy, t1.w, c21, c21.yzxw\n"},
		{"mad_sat r1.y, t1.w, c8.x, c9.x\nmov_sat r1.x, c9.x\n", "mad_sat r1.xy, t1.w, c21, c21.wzyx\n"},
		/* Clamped values, and copies, minima and choices of finite values. */
		{"mul_sat r2.x, r0.x, r0.y\nmad r1.x, r2.x, c8.x, c9.x\nmov r1.y, c9.y\nmul r1.xy, r1, r2.x\n",
		 "mul_sat r2.x, r0.x, r0.y\nmad r1.xy, r2.x, c21, c21.wzyx\nmul r1.xy, r1, r2.x\n"},
		{"min r2.x, t1.x, t0.y\nmad r1.x, r2.x, c8.x, c9.x\nmov r1.y, c9.y\nmul r1.xy, r1, r2.x\n",
		 "min r2.x, t1.x, t0.y\nmad r1.xy, r2.x, c21, c21.wzyx\nmul r1.xy, r1, r2.x\n"},
		/* A texel, a reciprocal, or a product that may overflow a half float is not multiplied by a new 0. */
		{"mad r1.x, r0.x, c8.x, c9.x\nmov r1.y, c8.x\n", NULL},
		{"rcp r2.x, t1.x\nmad r1.x, r2.x, c8.x, c9.x\nmov r1.y, c8.x\n", NULL},
		{"mul_pp r2.x, t1.x, t1.y\nmad r1.x, r2.x, c8.x, c9.x\nmov r1.y, c8.x\n", NULL},
		{"mad r1.x, t1.x, c0.x, c0.y\nmov r1.y, c8.x\n", NULL}, /* no literal factor */
		{"mad_pp r1.x, t1.x, c8.x, c9.x\nmov r1.y, c8.x\n", "mad r1.xy, t1.x, c21, c21.zxyw\n"}, /* at the mov's precision */
	};
	for (unsigned k = 0; k < sizeof cases / sizeof *cases; k++) {
		struct tidy_limits limits = {.consts = {20, 21}, .temps = 12, .choices = true};
		const char *want = cases[k][1] ? cases[k][1] : cases[k][0];
		const char *end = "mul r0.xy, r0, r1\nmov oC0, r0\n";
		tidy_ps_into(state, arena_printf(*state, TEXEL "%s%s", cases[k][0], end), arena_printf(*state, TEXEL "%s%s", want, end), &limits);
	}
}

/* Checks that sums of lanes become dot products with numbers, in the order of the additions. */
ARENA_TEST(sums_are_dot_products)
{
	static const char *const cases[][2] = {
		{"add r1.x, r0.x, r0.y\nadd r1.x, r1.x, r0.z\nmov oC0, r1.x\n",
		 "dp3 r1.x, r0, c9.x\nmov oC0, r1.x\n"},
		{"add r1.x, r0.z, r0.y\nadd r1.x, r0.x, r1.x\nmov oC0, r1.x\n",
		 "dp3 r1.x, r0.yzxw, c9.x\nmov oC0, r1.x\n"},
		{"add r1.x, r0.z, r0.w\nsub r1.x, r0.y, r1.x\nmov oC0, r1.x\n",
		 "dp3 r1.x, r0.wzyx, c21\nmov oC0, r1.x\n"},
		{"add r1.x, r0.x, r0.y\nadd r1.x, r1.x, r0.z\nadd_sat r1, r1.x, r0.w\nmov oC0, r1\n",
		 "dp4_sat r1, r0, c9.x\nmov oC0, r1\n"},
		{"add r0.x, r0.x, -r0.y\nadd r0.x, r0.x, r0.z\nadd r0.x, r0.x, r0.w\nmul r1, r0.x, c10.x\nmov oC0, r1\n",
		 "dp4 r1, r0, c21\nmov oC0, r1\n"},
		{"rcp r1.x, r0.x\nrcp r2.x, r0.y\nadd r3.y, t0.x, -r0.z\nadd r1.x, r1.x, r2.x\nadd r1.x, r1.x, r3.y\nmov oC0, r1.x\n",
		 "rcp r1.y, r0.x\nrcp r1.x, r0.y\nadd r1.z, t0.x, -r0.z\ndp3 r1.x, r1, c9.x\nmov oC0, r1.x\n"},
		/* Twice a number, one of which is computed twice. */
		{"rcp r1.x, r0.x\nrcp r2.x, r0.y\nadd r1.x, r1.x, r2.x\nmul r1, r1.x, c10.x\nmov oC0, r1\n",
		 "rcp r1.yz, r0.x\nrcp r1.x, r0.y\ndp3 r1, r1, c21\nmov oC0, r1\n"},
		{"rcp r1.x, r0.x\nrcp r2.x, r0.y\nadd r1.x, r1.x, r2.x\nmov oC0, r1.x\n", NULL},
		/* These stay: another order, lanes that no swizzle brings, two lanes, a second reader, a lane overwritten behind a sum. */
		{"add r1.x, r0.x, r0.w\nadd r1.x, r1.x, r0.y\nadd r1.x, r1.x, r0.z\nmov oC0, r1.x\n", NULL},
		{"add r1.x, r0.x, r0.w\nadd r1.x, r1.x, r0.y\nmov oC0, r1.x\n", NULL},
		{"add r1.x, r0.x, r0.y\nmul r1, r1.x, c10.x\nmov oC0, r1\n", NULL},
		{"add r1.x, r0.x, r0.y\nadd r1.y, r1.x, r0.z\nmul r1, r1.x, r1.y\nmov oC0, r1\n", NULL},
		{"add r1.x, r0.x, r0.y\nrcp r0.y, r0.x\nadd r1.x, r1.x, r0.z\nmul r1, r1.x, r0.y\nmov oC0, r1\n",
		 "rcp r1.y, r0.x\ndp3 r1.x, r0, c9.x\nmul r1, r1.x, r1.y\nmov oC0, r1\n"},
	};
	for (unsigned k = 0; k < sizeof cases / sizeof *cases; k++) {
		const char *read = "texld r0, t0, s0\n";
		const char *want = cases[k][1] ? cases[k][1] : cases[k][0];
		struct tidy_limits limits = {.consts = {20, 21}, .temps = 12, .choices = true, .regroup = true}, dear = {.consts = {20, 21}, .temps = 12, .regroup = true};
		const char *body = arena_printf(*state, "def c10, 0.25, 0, 0, 0\n%s%s", read, cases[k][0]);
		tidy_ps_into(state, body, arena_printf(*state, "%s%s", read, want), &limits);
		tidy_ps_into(state, body, arena_printf(*state, "%s%s", read, cases[k][0]), &dear);
	}
}

/* Checks that sums of lanes times literals become dot products, if they are added in an order that a swizzle brings. */
ARENA_TEST(sums_of_products_by_literals_are_dot_products)
{
	static const char *const cases[][2] = {
		{"mul r1.x, r0.y, c11.x\nmad r1.x, r0.x, c11.y, r1.x\nmad r1.x, r0.z, c11.z, r1.x\nmov oC0, r1.x\n",
		 "dp3 r1.x, r0, c12\nmov oC0, r1.x\n"},
		{"mul_pp r1.x, r0.z, c11.z\nmad_pp r1.x, c11.x, r0.y, r1.x\nmad_sat r1, -r0.x, c11.y, -r1.x\nmov oC0, r1\n",
		 "dp3_sat r1, r0.yzxw, -c12.yzxw\nmov oC0, r1\n"},
		{"mul_pp r1.x, r0.x, c11.y\nmad_pp r1.x, r0.y, c11.x, r1.x\nmad_pp r1.x, r0.z, c11.z, r1.x\nmad_pp r1, r0.w, c11.z, r1.x\nmov oC0, r1\n",
		 "dp4_pp r1, r0, c21\nmov oC0, r1\n"},
		/* One addend has no factor; the sum is written twice. */
		{"mad r1.x, r0.x, c11.y, r0.y\nmad r1, r0.z, c11.z, r1.x\nmov oC0, r1\n", "dp3 r1, r0, c21\nmov oC0, r1\n"},
		{"mul r1.x, r0.x, c11.y\nmad r1.x, r0.y, c11.x, r1.x\nmad r1.x, r0.z, c11.z, r1.x\nadd r1, r1.x, r1.x\nmov oC0, r1\n",
		 "dp3 r1.x, r0, c12\nadd r1, r1.x, r1.x\nmov oC0, r1\n"},
		/* Scalars without another reader. */
		{"rcp r1.x, r0.x\nrcp r2.x, r0.y\nrcp r3.x, r0.z\nmul r1.x, r1.x, c11.y\nmad r1.x, r2.x, c11.x, r1.x\nmad r1.x, r3.x, c11.z, r1.x\nmov oC0, r1.x\n",
		 "rcp r0.x, r0.x\nrcp r0.y, r0.y\nrcp r0.z, r0.z\ndp3 r1.x, r0, c12\nmov oC0, r1.x\n"},
		/* These stay: a literal addend, a factor of the application, two factors of one lane, two products, a lane with
		 * another reader, an intermediate clamp. */
		{"mad r1.x, r0.y, c11.x, c11.z\nmad r1.x, r0.x, c11.y, r1.x\nmad r1.x, r0.z, c11.z, r1.x\nmov oC0, r1.x\n", NULL},
		{"mul r1.x, r0.y, c0.x\nmad r1.x, r0.x, c0.y, r1.x\nmad r1.x, r0.z, c0.z, r1.x\nmov oC0, r1.x\n", NULL},
		{"mul r1.x, r0.y, c11.x\nmad r1.x, r0.x, c11.y, r1.x\nmad r1.x, r0.y, c11.z, r1.x\nmov oC0, r1.x\n", NULL},
		{"mul r1.x, r0.y, c11.x\nmad r1.x, r0.x, c11.y, r1.x\nmov oC0, r1.x\n", NULL},
		{"mul r1.x, r0.y, c11.x\nmad r1.y, r0.x, c11.y, r1.x\nmad r1.y, r0.z, c11.z, r1.y\nadd r1, r1.x, r1.y\nmov oC0, r1\n", NULL},
		{"mul_sat r1.x, r0.y, c11.x\nmad_sat r1.x, r0.x, c11.y, r1.x\nmad r1.x, r0.z, c11.z, r1.x\nmov oC0, r1.x\n", NULL},
	};
	for (unsigned k = 0; k < sizeof cases / sizeof *cases; k++) {
		const char *read = "texld r0, t0, s0\n";
		const char *want = cases[k][1] ? cases[k][1] : cases[k][0];
		struct tidy_limits limits = {.consts = {20, 21}, .temps = 12, .choices = true}, dear = {.consts = {20, 21}, .temps = 12};
		const char *body = arena_printf(*state, "def c11, 0.59, 0.3, 0.11, 0\ndef c12, 0.3, 0.59, 0.11, 2\n%s%s", read, cases[k][0]);
		tidy_ps_into(state, body, arena_printf(*state, "%s%s", read, want), &limits);
		tidy_ps_into(state, body, arena_printf(*state, "%s%s", read, cases[k][0]), &dear);
	}
}

/* Checks that sums become dot products at -O3, which may regroup them. */
ARENA_TEST(sums_that_may_be_regrouped)
{
	static const char *const cases[][2] = {
		{"dp4 r1.x, r0, c10\ndp4 r2.x, r0, c11\ndp4 r3.x, r0, c12\nadd r1.x, r1.x, r2.x\nsub r1, r1.x, r3.x\nmov oC0, r1\n",
		 "mul r1, -r0, c10\nmad r1, -r0, c11, r1\nmad r0, r0, c12, r1\ndp4 r1, -r0, c9.x\nmov oC0, r1\n"},
		{"dp3 r1.x, r0, c10\ndp3 r2.x, r0, c11\ndp3 r3.x, r0, c12\nrcp r5.x, r0.x\nadd r1.x, r1.x, r2.x\nadd r1.x, r1.x, r5.x\nadd r1.x, r1.x, r3.x\n"
		 "mov oC0, r1.x\n",
		 "mul r1.xyz, r0, c10\nmad r1.xyz, r0, c11, r1\nmad r1.xyz, r0, c12, r1\ndp3 r3.x, r1, c9.x\nrcp r5.x, r0.x\nadd r1.x, r5, r3.x\nmov oC0, r1.x\n"},
		{"dp4 r1.x, r0, c10\ndp4 r2.x, r0, c11\nadd r1.x, r1.x, r2.x\nmov oC0, r1.x\n", NULL},
	};
	for (unsigned k = 0; k < sizeof cases / sizeof *cases; k++) {
		const char *read = "texld r0, t0, s0\n", *want = cases[k][1] ? cases[k][1] : cases[k][0];
		struct tidy_limits limits = {.consts = {20, 21}, .temps = 12, .choices = true, .regroup = true}, literal = limits;
		const char *body = arena_printf(*state, "%s%s", read, cases[k][0]);
		literal.regroup = false;
		tidy_ps_into(state, body, arena_printf(*state, "%s%s", read, want), &limits);
		if (k == 0)
			tidy_ps_into(state, body, arena_printf(*state, "%s%s", read, "dp4 r1.y, r0, c10\ndp4 r1.x, r0, c11\ndp4 r1.z, r0, c12\n"
			                                                             "dp3 r1, r1, c21\nmov oC0, r1\n"), &literal);
	}
}
