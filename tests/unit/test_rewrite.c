/* -O1 from text to text: M1 to M4, budgets, and declarations. */
#include "pairs.h"

#include "move/passes.h"

#include <stdio.h>

struct run {
	struct arena *arena;
	struct program *vs, *ps; /* as given */
	struct move_options options;
	struct move_result *result;
};

static struct run given(void **state, const char *vs, const char *ps)
{
	struct run r = {.arena = *state, .vs = parse_one(*state, vs), .ps = parse_one(*state, ps)};
	r.options = move_options_default(r.vs->model, r.ps->model);
	r.options.level = 1;
	r.options.free_ties = true; /* constants are most of the moved work here */
	r.options.as_published = true;
	return r;
}

static void move(struct run *r)
{
	r->result = move_paper(r->arena, r->vs, r->ps, &r->options);
}

static struct run moved(void **state, const char *vs, const char *ps)
{
	struct run r = given(state, vs, ps);
	move(&r);
	return r;
}

/* Checks both whole programs after the move. */
static void expect(const struct run *r, const char *vs, const char *ps)
{
	assert_string_equal(text_of(r->arena, r->result->vs), vs);
	assert_string_equal(text_of(r->arena, r->result->ps), ps);
}

/* Checks only the instructions of both. */
static void expect_instrs(const struct run *r, const char *vs, const char *ps)
{
	assert_string_equal(instrs_of(r->arena, r->result->vs), vs);
	assert_string_equal(instrs_of(r->arena, r->result->ps), ps);
}

static unsigned verdict_of(const struct run *r, unsigned k)
{
	return r->result->fates[k].verdict;
}

#define QUAD "vs_1_1\ndcl_position v0\ndcl_texcoord v1\nmov oPos, v0\nmov oT0.xy, v1\n"
#define FILTER                                                                                                      \
	"ps_2_0\ndcl t0.xy\ndcl_2d s0\n"                                                                            \
	"mov r0.z, t0.y\nmov r1.y, c4.x\nmov r0.y, c4.x\nrcp r0.w, c3.x\nmov r0.x, -r0.w\n"                         \
	"add r1.x, r0.w, r0.w\nadd r0.xy, r0, t0\nadd r1.x, r1.x, r0.x\nadd r1.y, r0.z, r1.y\n"                     \
	"texld r2, r0, s0\ntexld r0, r1, s0\ntexld r1, t0, s0\n"                                                    \
	"mul r2, r2, c0.x\nmad r1, c1.x, r1, r2\nmad r0, c2.x, r0, r1\nmov oC0, r0\n"

ARENA_TEST(the_papers_figures)
{
	struct run r = moved(state, QUAD, FILTER);
	expect(&r,
	       "vs_1_1\ndcl_position v0\ndcl_texcoord v1\n"
	       "mov oPos, v0\n"
	       "mov oT0.xy, v1\n"
	       "mov r0.z, v1.y\n"
	       "mov r1.y, c4.x\n"
	       "mov r0.y, c4.x\n"
	       "rcp r0.w, c3.x\n"
	       "mov r0.x, -r0.w\n"
	       "add r1.x, r0.w, r0.w\n"
	       "add r0.xy, r0, v1\n"
	       "mov oT1.xy, r0.xy\n"
	       "add r1.x, r1.x, r0.x\n"
	       "mov oT2.x, r1.x\n"
	       "add r1.y, r0.z, r1.y\n"
	       "mov oT2.y, r1.y\n",
	       "ps_2_0\ndcl t0.xy\ndcl t1.xy\ndcl t2.xy\ndcl_2d s0\n"
	       "texld r2, t1, s0\n"
	       "texld r0, t2, s0\n"
	       "texld r1, t0, s0\n"
	       "mul r2, r2, c0.x\n"
	       "mad r1, c1.x, r1, r2\n"
	       "mad r0, c2.x, r0, r1\n"
	       "mov oC0, r0\n");
	assert_int_equal(r.result->moved, 9);
	assert_int_equal(program_total_slots(r.result->vs), 14);
	assert_int_equal(program_total_slots(r.result->ps), 7);
	assert_int_equal(r.result->consts.n, 2);
	assert_int_equal(r.result->consts.at[0].vs, 3);
	assert_int_equal(r.result->consts.at[0].ps, 3);
	assert_int_equal(r.result->consts.at[1].vs, 4);
	assert_int_equal(r.result->fates[6].moved, MASK_XY);
}

ARENA_TEST(nothing_to_move_changes_nothing)
{
	static const char ps[] = "ps_2_0\n// just a read\ndcl t0.xy\ndcl_2d s0\ntexld r0, t0, s0\nmov oC0, r0\n";
	struct run r = moved(state, QUAD, ps);
	assert_int_equal(r.result->moved, 0);
	expect(&r, QUAD, ps);
}

/* --- M1 --------------------------------------------------------------------------- */

ARENA_TEST(m1_takes_another_number_when_the_vp_uses_it)
{
	struct run r = moved(state,
	                     "vs_1_1\ndcl_position v0\ndcl_texcoord v1\nm4x4 oPos, v0, c0\nmov oT0.xy, v1\n",
	                     "ps_2_0\ndcl t0.xy\ndcl_2d s0\nadd r0.xy, t0, c2\nadd r0.xy, r0, c7\n"
	                     "texld r0, r0, s0\nmov oC0, r0\n");
	expect_instrs(&r,
	              "m4x4 oPos, v0, c0\nmov oT0.xy, v1\nadd r0.xy, v1, c95\nadd r0.xy, r0, c7\n"
	              "mov oT1.xy, r0.xy\n",
	              "texld r0, t1, s0\nmov oC0, r0\n");
	assert_int_equal(r.result->consts.n, 2);
	assert_int_equal(r.result->consts.at[1].vs, 95);
	assert_int_equal(r.result->consts.at[1].ps, 2);
}

/* Checks that levels above -O1 keep no number: applications keep shared values in the first constants. */
ARENA_TEST(m1_takes_the_last_ones_above_o1)
{
	struct run r = given(state, QUAD, FILTER);
	r.options.level = 2;
	move(&r);
	assert_int_equal(r.result->consts.n, 2);
	assert_int_equal(r.result->consts.at[0].vs, 94);
	assert_int_equal(r.result->consts.at[0].ps, 4);
	assert_int_equal(r.result->consts.at[1].vs, 95);
	assert_int_equal(r.result->consts.at[1].ps, 3);
	r.options.budget.vs_consts = (struct range){10, 40};
	move(&r);
	assert_int_equal(r.result->consts.at[0].vs, 39);
}

ARENA_TEST(m1_defines_literals_again)
{
	struct run r = moved(state,
	                     "vs_1_1\ndef c1, 0.5, 0, 0, 0\ndcl_position v0\nadd oPos, v0, c1.x\nmov oT0.xy, v0\n",
	                     "ps_2_0\ndef c1, 0.25, 0.125, 0, 0 // half a texel\ndef c2, 0.5, 0, 0, 0\n"
	                     "dcl t0.xy\ndcl_2d s0\nadd r0.xy, t0, c1\nadd r0.xy, r0, c2.x\n"
	                     "texld r0, r0, s0\nmul r0, r0, c2.x\nmov oC0, r0\n");
	expect(&r,
	       "vs_1_1\ndef c1, 0.5, 0, 0, 0\ndef c95, 0.25, 0.125, 0, 0\ndcl_position v0\n"
	       "add oPos, v0, c1.x\nmov oT0.xy, v0\nadd r0.xy, v0, c95\nadd r0.xy, r0, c1.x\n"
	       "mov oT1.xy, r0.xy\n",
	       "ps_2_0\n// half a texel\ndef c2, 0.5, 0, 0, 0\ndcl t1.xy\ndcl_2d s0\n"
	       "texld r0, t1, s0\nmul r0, r0, c2.x\nmov oC0, r0\n");
	assert_int_equal(r.result->consts.n, 0);
}

ARENA_TEST(m1_keeps_the_rows_of_a_matrix_together)
{
	struct run r = moved(state,
	                     "vs_1_1\ndcl_position v0\nmov oPos, v0\nadd oT0.xy, v0, c5\n",
	                     "ps_2_0\ndcl t0.xy\ndcl_2d s0\nmov r1, c4\nm3x2 r0.xy, r1, c4\n"
	                     "texld r0, r0, s0\nmov oC0, r0\n");
	expect_instrs(&r,
	              "mov oPos, v0\nadd oT0.xy, v0, c5\nmov r1, c94\nm3x2 r0.xy, r1, c94\nmov oT1.xy, r0.xy\n",
	              "texld r0, t1, s0\nmov oC0, r0\n");
	assert_int_equal(r.result->consts.n, 2);
	assert_int_equal(r.result->consts.at[1].vs, 95);
	assert_int_equal(r.result->consts.at[1].ps, 5);
}

ARENA_TEST(m1_takes_none_beside_relative_addressing)
{
	struct run r = given(state,
	                     "vs_1_1\ndcl_position v0\nmov a0.x, v0.x\nmov oPos, v0\nadd oT0.xy, v0, c[a0.x + 8]\n",
	                     "ps_2_0\ndcl t0.xy\ndcl_2d s0\nadd r0.xy, t0, c4\ntexld r0, r0, s0\nmov oC0, r0\n");
	move(&r);
	assert_int_equal(r.result->moved, 0);
	assert_int_equal(verdict_of(&r, 0), MOVE_BUDGET_CONSTS);
	r.options.budget.vs_consts = (struct range){60, 61};
	r.options.budget.vs_consts_given = true;
	move(&r);
	expect_instrs(&r,
	              "mov a0.x, v0.x\nmov oPos, v0\nadd oT0.xy, v0, c[a0.x + 8]\n"
	              "add r1.xy, v0, c[a0.x + 8]\nadd r0.xy, r1, c61\nmov oT1.xy, r0.xy\n",
	              "texld r0, t1, s0\nmov oC0, r0\n");
}

ARENA_TEST(m1_one_constant_for_each_instruction)
{
	/* oT0 is constant, so that M3 gives an FP instruction with one c# a second one. */
	struct run r = moved(state,
	                     "vs_1_1\ndcl_position v0\nmov oPos, v0\nmov oT0.xy, c9.zwzw\n",
	                     "ps_2_0\ndcl t0.xy\ndcl_2d s0\nadd r0.xy, t0, -c1\ntexld r0, r0, s0\nmov oC0, r0\n");
	expect_instrs(&r,
	              "mov oPos, v0\nmov oT0.xy, c9.zwzw\nmov r1.xy, c1\nadd r0.xy, c9.zwzw, -r1\n"
	              "mov oT1.xy, r0.xy\n",
	              "texld r0, t1, s0\nmov oC0, r0\n");
}

ARENA_TEST(m1_sincos_names_its_two_constants)
{
	struct run r = moved(state,
	                     "vs_2_0\ndcl_position v0\nmov oPos, v0\n",
	                     "ps_2_0\ndef c0, -0.0000015500992, -0.000021701389, 0.0026041667, 0.00026041668\n"
	                     "def c1, -0.020833334, -0.125, 1, 0.5\ndcl_2d s0\n"
	                     "mov r1.x, c2.x\nsincos r0.xy, r1.x, c0, c1\ntexld r0, r0, s0\nmov oC0, r0\n");
	expect_instrs(&r, "mov oPos, v0\nmov r1.x, c2.x\nsincos r0.xy, r1.x, c0, c1\nmov oT0.xy, r0.xy\n",
	              "texld r0, t0, s0\nmov oC0, r0\n");
}

ARENA_TEST(drop_in_asks_the_application_for_nothing)
{
	struct run r = given(state, QUAD,
	                     "ps_2_0\ndef c1, 1, 0, 0, 0\ndcl t0.xy\ndcl_2d s0\n"
	                     "add r0.xy, t0, c0\nadd r1.xy, t0, c1\ntexld r0, r0, s0\ntexld r1, r1, s0\n"
	                     "add r0, r0, r1\nmov oC0, r0\n");
	r.options.drop_in = true;
	move(&r);
	assert_int_equal(r.result->moved, 1);
	assert_int_equal(r.result->consts.n, 0);
	assert_int_equal(verdict_of(&r, 0), MOVE_DROP_IN);
	expect_instrs(&r, "mov oPos, v0\nmov oT0.xy, v1\nadd r1.xy, v1, c1\nmov oT1.xy, r1.xy\n",
	              "add r0.xy, t0, c0\ntexld r0, r0, s0\ntexld r1, t1, s0\nadd r0, r0, r1\nmov oC0, r0\n");
}

/* --- M2 --------------------------------------------------------------------------- */

static const char one_offset[] =
	"ps_2_0\ndcl t0.xy\ndcl_2d s0\nadd r0.xy, t0, c24\ntexld r0, r0, s0\nmov oC0, r0\n";
static const char one_read[] = "texld r0, t1, s0\nmov oC0, r0\n";

ARENA_TEST(m2_copies_the_writer_behind_itself)
{
	struct run r = moved(state, "vs_1_1\ndcl_position v0\nmul oT0.xy, v0, c1 // scale\nmov oPos, v0\n", one_offset);
	expect(&r,
	       "vs_1_1\ndcl_position v0\nmul oT0.xy, v0, c1 // scale\nmul r1.xy, v0, c1\nmov oPos, v0\n"
	       "add r0.xy, r1, c24\nmov oT1.xy, r0.xy\n",
	       "ps_2_0\ndcl t1.xy\ndcl_2d s0\ntexld r0, t1, s0\nmov oC0, r0\n");
}

ARENA_TEST(m2_copies_every_part_once)
{
	struct run r = moved(state,
	                     "vs_1_1\ndcl_position v0\nmul oT0.x, v0, c1\ndp4 oT0.y, v0, c2\nmov oPos, v0\n",
	                     "ps_2_0\ndcl t0.xy\ndcl_2d s0\nmov r0.x, t0.y\nadd r0.y, t0, c24\nadd r1.xy, t0, c25\n"
	                     "texld r0, r0, s0\ntexld r1, r1, s0\nadd r0, r0, r1\nmov oC0, r0\n");
	expect_instrs(&r,
	              "mul oT0.x, v0, c1\nmul r2.x, v0, c1\ndp4 oT0.y, v0, c2\ndp4 r2.y, v0, c2\nmov oPos, v0\n"
	              "mov r0.x, r2.y\nmov oT1.x, r0.x\nadd r0.y, r2, c24\nmov oT1.y, r0.y\n"
	              "add r1.xy, r2, c25\nmov oT2.xy, r1.xy\n",
	              "texld r0, t1, s0\ntexld r1, t2, s0\nadd r0, r0, r1\nmov oC0, r0\n");
}

ARENA_TEST(m2_copies_only_the_last_writers)
{
	struct run r = moved(state,
	                     "vs_1_1\ndcl_position v0\nmul oT0.xy, v0, c1\nmul oT0.x, v0, c2\nmov oPos, v0\n",
	                     "ps_2_0\ndcl t0.xy\ndcl_2d s0\nadd r0.x, t0, c24\nmov r0.y, c24\n"
	                     "texld r0, r0, s0\nmov oC0, r0\n");
	expect_instrs(&r,
	              "mul oT0.xy, v0, c1\nmul oT0.x, v0, c2\nmul r1.x, v0, c2\nmov oPos, v0\n"
	              "add r0.x, r1, c24\nmov oT1.x, r0.x\nmov r0.y, c24\nmov oT1.y, r0.y\n",
	              one_read);
}

ARENA_TEST(m2_temporary_is_free_from_the_copy_on)
{
	/* r1 is used behind the copy, r2 only before it. */
	struct run r = moved(state,
	                     "vs_1_1\ndcl_position v0\nmov r2, v0\nadd r1, r2, c0\nmul oT0.xy, v0, c1\nmov oPos, r1\n",
	                     one_offset);
	expect_instrs(&r,
	              "mov r2, v0\nadd r1, r2, c0\nmul oT0.xy, v0, c1\nmul r2.xy, v0, c1\nmov oPos, r1\n"
	              "add r0.xy, r2, c24\nmov oT1.xy, r0.xy\n",
	              one_read);
}

ARENA_TEST(m2_not_into_what_sgn_clobbers)
{
	struct run r = moved(state,
	                     "vs_2_0\ndcl_position v0\nmul oT0.xy, v0, c1\nsgn r0, v0, r1, r2\nmov oPos, r0\n",
	                     one_offset);
	expect_instrs(&r,
	              "mul oT0.xy, v0, c1\nmul r3.xy, v0, c1\nsgn r0, v0, r1, r2\nmov oPos, r0\n"
	              "add r0.xy, r3, c24\nmov oT1.xy, r0.xy\n",
	              one_read);
}

/* --- M3 --------------------------------------------------------------------------- */

ARENA_TEST(m3_composes_swizzles_and_signs)
{
	struct run r = moved(state,
	                     "vs_1_1\ndcl_position v0\nmov oPos, v0\nmov oT0, -v0.wzyx\n",
	                     "ps_2_0\ndcl t0\ndcl_2d s0\nadd r0.xy, t0.zxyw, c24\ntexld r0, r0, s0\nmov oC0, r0\n");
	expect_instrs(&r,
	              "mov oPos, v0\nmov oT0, -v0.wzyx\nadd r0.xy, -v0.ywzx, c24\nmov oT1.xy, r0.xy\n", one_read);
}

ARENA_TEST(m3_joins_several_movs_of_one_register)
{
	struct run r = moved(state,
	                     "vs_1_1\ndcl_position v0\nmov oPos, v0\nmov oT0.x, v0.w\nmov oT0.y, v0.z\n", one_offset);
	expect_instrs(&r,
	              "mov oPos, v0\nmov oT0.x, v0.w\nmov oT0.y, v0.z\nadd r0.xy, v0.wzw, c24\n"
	              "mov oT1.xy, r0.xy\n",
	              one_read);
}

ARENA_TEST(m3_not_from_two_registers_or_signs)
{
	struct run r = moved(state,
	                     "vs_1_1\ndcl_position v0\nmov oPos, v0\nmov oT0.x, v0\nmov oT0.y, -v0\n", one_offset);
	expect_instrs(&r,
	              "mov oPos, v0\nmov oT0.x, v0\nmov r1.x, v0\nmov oT0.y, -v0\nmov r1.y, -v0\n"
	              "add r0.xy, r1, c24\nmov oT1.xy, r0.xy\n",
	              one_read);
}

ARENA_TEST(m3_reads_a_temporary_that_is_kept)
{
	/* r0 holds oT0's value to the end, so the FP's r0 becomes another register. */
	struct run r = moved(state,
	                     "vs_1_1\ndcl_position v0\nmul r0.xy, v0, c1\nmov oPos, v0\nmov oT0.xy, r0\n",
	                     "ps_2_0\ndcl t0.xy\ndcl_2d s0\nmov r0.xy, c24\nadd r0.xy, t0, r0\nadd r1.xy, t0, c25\n"
	                     "texld r0, r0, s0\ntexld r1, r1, s0\nadd r0, r0, r1\nmov oC0, r0\n");
	expect_instrs(&r,
	              "mul r0.xy, v0, c1\nmov oPos, v0\nmov oT0.xy, r0\n"
	              "mov r2.xy, c24\nadd r2.xy, r0, r2\nmov oT1.xy, r2.xy\n"
	              "add r1.xy, r0, c25\nmov oT2.xy, r1.xy\n",
	              "texld r0, t1, s0\ntexld r1, t2, s0\nadd r0, r0, r1\nmov oC0, r0\n");
}

ARENA_TEST(m3_not_when_the_source_is_overwritten)
{
	struct run r = moved(state,
	                     "vs_1_1\ndcl_position v0\nmul r0.xy, v0, c1\nmov oT0.xy, r0\nmov r0, v0\nmov oPos, r0\n",
	                     one_offset);
	expect_instrs(&r,
	              "mul r0.xy, v0, c1\nmov oT0.xy, r0\nmov r1.xy, r0\nmov r0, v0\nmov oPos, r0\n"
	              "add r0.xy, r1, c24\nmov oT1.xy, r0.xy\n",
	              one_read);
}

ARENA_TEST(m3_looks_at_lanes)
{
	/* Only r0.w changes behind the mov, not the lanes of oT0. */
	struct run r = moved(state,
	                     "vs_1_1\ndcl_position v0\nmov r0, v0\nmov oT0.xy, r0\nmov r0.w, c1.x\nmov oPos, r0\n",
	                     one_offset);
	expect_instrs(&r,
	              "mov r0, v0\nmov oT0.xy, r0\nmov r0.w, c1.x\nmov oPos, r0\n"
	              "add r1.xy, r0, c24\nmov oT1.xy, r1.xy\n",
	              one_read);
}

ARENA_TEST(m3_not_from_a_relative_constant)
{
	struct run r = given(state,
	                     "vs_1_1\ndcl_position v0\nmov a0.x, v0.x\nmov oPos, v0\nmov oT0.xy, c[a0.x]\n",
	                     "ps_2_0\ndef c0, 1, 0, 0, 0\ndcl t0.xy\ndcl_2d s0\nmov r0.xy, t0.yxzw\n"
	                     "texld r0, r0, s0\nmov oC0, r0\n");
	move(&r);
	expect_instrs(&r,
	              "mov a0.x, v0.x\nmov oPos, v0\nmov oT0.xy, c[a0.x]\nmov r1.xy, c[a0.x]\n"
	              "mov r0.xy, r1.yxzw\nmov oT1.xy, r0.xy\n",
	              one_read);
}

/* --- M4 --------------------------------------------------------------------------- */

ARENA_TEST(m4_same_register_different_values)
{
	struct run r = moved(state, QUAD,
	                     "ps_2_0\ndcl t0.xy\ndcl_2d s0\n"
	                     "add r0.xy, t0, c0\ntexld r1, r0, s0\nadd r0.x, r0, c1\ntexld r0, r0, s0\n"
	                     "add r0, r0, r1\nmov oC0, r0\n");
	expect_instrs(&r,
	              "mov oPos, v0\nmov oT0.xy, v1\n"
	              "add r0.xy, v1, c0\nmov oT1.xy, r0.xy\nmov oT2.y, r0.y\n"
	              "add r0.x, r0, c1\nmov oT2.x, r0.x\n",
	              "texld r1, t1, s0\ntexld r0, t2, s0\nadd r0, r0, r1\nmov oC0, r0\n");
}

ARENA_TEST(m4_merges_lanes_that_agree)
{
	struct run r = moved(state, QUAD,
	                     "ps_2_0\ndcl t0.xy\ndcl_2d s0\ntexld r1, t0, s0\n"
	                     "mov r0.x, c0.x\nmov r0.y, c1.x\nmov r0.z, c2.x\n"
	                     "mul r1, r1, r0.x\nmad r1, r1, r0.y, r0.z\nmov oC0, r1\n");
	expect(&r,
	       "vs_1_1\ndcl_position v0\ndcl_texcoord v1\nmov oPos, v0\nmov oT0.xy, v1\n"
	       "mov r0.x, c0.x\nmov oT1.x, r0.x\nmov r0.y, c1.x\nmov oT1.y, r0.y\nmov r0.z, c2.x\nmov oT1.z, r0.z\n",
	       "ps_2_0\ndcl t0.xy\ndcl t1.xyz\ndcl_2d s0\n"
	       "texld r1, t0, s0\nmul r1, r1, t1.x\nmad r1, r1, t1.y, t1.z\nmov oC0, r1\n");
}

ARENA_TEST(m4_fills_the_mask_of_an_output)
{
	struct run r = moved(state, QUAD,
	                     "ps_2_0\ndcl t0.xy\ndcl_2d s0\ntexld r1, t0, s0\n"
	                     "mov r0.yw, c0\nmov r2.w, c1.x\nmov r2.y, c2.x\n"
	                     "mul r1.yw, r1, r0\nmul r1.yw, r1, r2\nmov r3.z, c3.x\nmul r1.z, r1, r3\nmov oC0, r1\n");
	expect(&r,
	       "vs_1_1\ndcl_position v0\ndcl_texcoord v1\nmov oPos, v0\nmov oT0.xy, v1\n"
	       "mov r0.yw, c0\nmov oT1, r0.yyw\n"
	       "mov r2.w, c1.x\nmov oT2.zw, r2.w\nmov r2.y, c2.x\nmov oT2.xy, r2.y\n"
	       "mov r3.z, c3.x\nmov oT3.xyz, r3.z\n",
	       "ps_2_0\ndcl t0.xy\ndcl t1\ndcl t2\ndcl t3.xyz\ndcl_2d s0\n"
	       "texld r1, t0, s0\nmul r1.yw, r1, t1\nmul r1.yw, r1, t2\nmul r1.z, r1, t3\nmov oC0, r1\n");
}

ARENA_TEST(m4_takes_the_lowest_free_interpolator)
{
	struct run r = moved(state,
	                     "vs_1_1\ndcl_position v0\nmov oPos, v0\nmov oT0.xy, v0\nmov oT1.xy, v0\nmov oT3, v0\nmov oT2, v0\n",
	                     "ps_2_0\ndcl t1.xy\ndcl_2d s0\nadd r0.xy, t1, c0\ntexld r0, r0, s0\nmov oC0, r0\n");
	assert_string_equal(instrs_of(r.arena, r.result->ps), "texld r0, t4, s0\nmov oC0, r0\n");
}

ARENA_TEST(m4_leaves_no_gap_in_the_outputs)
{
	/* The VP does not write the declared t0: neither it nor a higher one may be used. */
	struct run r = moved(state, "vs_1_1\ndcl_position v0\nmov oPos, v0\n",
	                     "ps_2_0\ndcl t0.xy\ndcl_2d s0\nmov r0.xy, c0\ntexld r0, r0, s0\nmov oC0, r0\n");
	assert_int_equal(r.result->moved, 0);
	assert_int_equal(verdict_of(&r, 0), MOVE_BUDGET_INTERP);
}

ARENA_TEST(m4_a_mov_feeds_a_reader_of_other_lanes)
{
	struct run r = moved(state, QUAD,
	                     "ps_2_0\ndcl t0.xy\ndcl_2d s0\ntexld r1, t0, s0\n"
	                     "mov r0.x, r1.x\n" /* stays */
	                     "mov r2.y, c0.x\n"
	                     "add r0.y, r2, t0\n" /* read beside lane x */
	                     "texld r0, r0, s0\nmov oC0, r0\n");
	expect_instrs(&r, "mov oPos, v0\nmov oT0.xy, v1\nmov r2.y, c0.x\nadd r0.y, r2, v1\nmov oT1.xy, r0.y\n",
	              "texld r1, t0, s0\nmov r0.x, r1.x\nmov r0.y, t1\ntexld r0, r0, s0\nmov oC0, r0\n");
	assert_int_equal(r.result->moved, 2);
	assert_int_equal(verdict_of(&r, 3), MOVE_MOVED);
	assert_int_equal(r.result->fates[3].lane[LANE_Y], MOVE_REMADE);
}

ARENA_TEST(m4_a_mov_waits_for_no_interpolator)
{
	/* The addresses take the two free interpolators. */
	struct run r = given(state, QUAD,
	                     "ps_2_0\ndcl t0.xy\ndcl_2d s0\ntexld r1, t0, s0\nmov r0.x, r1.x\n"
	                     "mov r2.y, c0.x\nadd r0.y, r2, t0\nadd r3.xy, t0, c1\nadd r4.xy, t0, c2\n"
	                     "texld r0, r0, s0\ntexld r3, r3, s0\ntexld r4, r4, s0\nadd r0, r0, r3\nadd r0, r0, r4\nmov oC0, r0\n");
	r.options.budget.texcoords = 3;
	move(&r);
	assert_int_equal(r.result->moved, 2);
	assert_int_equal(verdict_of(&r, 2), MOVE_MIXED);
	assert_int_equal(verdict_of(&r, 3), MOVE_MIXED);
	assert_int_equal(r.result->fates[3].because, 6);
}

ARENA_TEST(m4_no_mov_brings_what_the_fp_takes_one_slot_for)
{
	struct run r = moved(state, QUAD,
	                     "ps_2_0\ndcl t0.xy\ndcl_2d s0\ntexld r1, t0, s0\nmov r0.x, r1.x\nmov r0.y, c0.x\n"
	                     "texld r0, r0, s0\nmov oC0, r0\n");
	assert_int_equal(r.result->moved, 0);
	assert_int_equal(verdict_of(&r, 2), MOVE_MIXED);
}

ARENA_TEST(m4_one_interpolator_for_each_instruction)
{
	struct run r = moved(state, QUAD,
	                     "ps_2_0\ndcl t0.xy\ndcl_2d s0\n"
	                     "mov r0, c0\nmov r1, c1\ntexld r2, t0, s0\n"
	                     "mad r2, r2, r0, r1\nmov oC0, r2\n");
	assert_int_equal(verdict_of(&r, 0), MOVE_MOVED);
	assert_int_equal(verdict_of(&r, 1), MOVE_MIXED);
	expect_instrs(&r, "mov oPos, v0\nmov oT0.xy, v1\nmov r0, c0\nmov oT1, r0\n",
	              "mov r1, c1\ntexld r2, t0, s0\nmad r2, r2, t1, r1\nmov oC0, r2\n");
}

ARENA_TEST(m4_constants_stay_beside_the_moved_copy)
{
	struct run r = moved(state, QUAD,
	                     "ps_2_0\ndcl t0.xy\ndcl_2d s0\n"
	                     "mov r0.xy, c0\n"            /* 0 */
	                     "mul r1.xy, r0, t0\n"        /* 1 stays: reads t0 and r0 */
	                     "add r2.xy, r0, c1.x\n"
	                     "texld r1, r1, s0\ntexld r2, r2, s0\nadd r1, r1, r2\nmov oC0, r1\n");
	assert_int_equal(verdict_of(&r, 0), MOVE_MIXED);
	assert_int_equal(r.result->fates[0].because, 1);
	assert_int_equal(r.result->fates[0].moved, 0);
	assert_int_equal(verdict_of(&r, 2), MOVE_MOVED);
	assert_int_equal(r.result->moved, 1);
	expect_instrs(&r, "mov oPos, v0\nmov oT0.xy, v1\nmov r0.xy, c0\nadd r2.xy, r0, c1.x\nmov oT1.xy, r2.xy\n",
	              "mov r0.xy, c0\nmul r1.xy, r0, t0\ntexld r1, r1, s0\ntexld r2, t1, s0\nadd r1, r1, r2\nmov oC0, r1\n");
}

ARENA_TEST(m4_what_is_longest_to_compute_is_fed)
{
	struct run r = moved(state, QUAD,
	                     "ps_2_0\ndcl t0.xy\ndcl_2d s0\n"
	                     "mov r0, c0\nadd r1, c1, c2.x\nadd r1, r1, c3\ntexld r2, t0, s0\n"
	                     "mad r2, r2, r0, r1\nmov oC0, r2\n");
	expect_instrs(&r, "mov oPos, v0\nmov oT0.xy, v1\nmov r0.x, c2\nadd r1, c1, r0.x\nadd r1, r1, c3\nmov oT1, r1\n",
	              "mov r0, c0\ntexld r2, t0, s0\nmad r2, r2, r0, t1\nmov oC0, r2\n");
}

ARENA_TEST(m4_kinds_are_not_mixed)
{
	struct run r = moved(state,
	                     "vs_1_1\ndcl_position v0\nmov oPos, v0\nmov oT0, v0\nmov oT1, v0\n",
	                     "ps_2_0\ndcl t0\ndcl_centroid t1\ndcl_2d s0\n"
	                     "add r0.x, t0, c0\nadd r0.y, t1, c0\nadd r1.xy, t1, c0\n"
	                     "texld r0, r0, s0\ntexld r1, r1, s0\nadd r0, r0, r1\nmov oC0, r0\n");
	assert_int_equal(verdict_of(&r, 0), MOVE_KIND);
	assert_int_equal(verdict_of(&r, 1), MOVE_KIND);
	assert_int_equal(verdict_of(&r, 2), MOVE_MOVED);
	assert_string_equal(text_of(r.arena, r.result->ps),
	                    "ps_2_0\ndcl t0\ndcl_centroid t1\ndcl_centroid t2.xy\ndcl_2d s0\n"
	                    "add r0.x, t0, c0\nadd r0.y, t1, c0\ntexld r0, r0, s0\ntexld r1, t2, s0\n"
	                    "add r0, r0, r1\nmov oC0, r0\n");
}

ARENA_TEST(m4_constants_ride_in_any_kind)
{
	struct run r = moved(state,
	                     "vs_1_1\ndcl_position v0\nmov oPos, v0\nmov oT0, v0\n",
	                     "ps_2_0\ndcl_pp t0\ndcl_2d s0\nadd r0.x, t0, c0\nmov r0.y, c0\n"
	                     "texld r0, r0, s0\nmov oC0, r0\n");
	assert_string_equal(text_of(r.arena, r.result->ps),
	                    "ps_2_0\ndcl_pp t1.xy\ndcl_2d s0\ntexld r0, t1, s0\nmov oC0, r0\n");
}

/* Moves at -O1 without --as-published. */
static struct run moved_shorter(void **state, const char *vs, const char *ps)
{
	struct run r = given(state, vs, ps);
	r.options.as_published = false;
	move(&r);
	return r;
}

ARENA_TEST(m4_the_last_instruction_writes_the_output)
{
	struct run r = moved_shorter(state, QUAD, FILTER);
	expect_instrs(&r,
	              "mov oPos, v0\nmov oT0.xy, v1\n"
	              "mov r0.z, v1.y\nmov r1.y, c4.x\nmov r0.y, c4.x\nrcp r0.w, c3.x\nmov r0.x, -r0.w\n"
	              "add r1.x, r0.w, r0.w\nadd r0.xy, r0, v1\nmov oT1.xy, r0.xy\nadd oT2.x, r1.x, r0.x\nadd oT2.y, r0.z, r1.y\n",
	              "texld r2, t1, s0\ntexld r0, t2, s0\ntexld r1, t0, s0\n"
	              "mul r2, r2, c0.x\nmad r1, c1.x, r1, r2\nmad r0, c2.x, r0, r1\nmov oC0, r0\n");
}

ARENA_TEST(m4_lanes_of_several_values_are_sent_by_a_mov_each)
{
	/* r0.x goes to t1 and t2; r0.y goes to t1, and later, as another value with no other reader, to t2. */
	struct run r = moved_shorter(state, QUAD,
	                             "ps_2_0\ndcl t0.xy\ndcl_2d s0\nadd r0.x, t0, c0\nadd r0.y, t0, c1\nadd r1.xy, r0, c2\n"
	                             "texld r2, r0, s0\nadd r0.y, r0, c3\ntexld r3, r0, s0\ntexld r1, r1, s0\n"
	                             "add r1, r1, r2\nadd r1, r1, r3\nmov oC0, r1\n");
	expect_instrs(&r,
	              "mov oPos, v0\nmov oT0.xy, v1\nadd r0.x, v1, c0\nmov oT1.x, r0.x\nmov oT2.x, r0.x\nadd r0.y, v1, c1\nmov oT1.y, r0.y\n"
	              "add oT3.xy, r0, c2\nadd oT2.y, r0, c3\n",
	              "texld r2, t1, s0\ntexld r3, t2, s0\ntexld r1, t3, s0\nadd r1, r1, r2\nadd r1, r1, r3\nmov oC0, r1\n");
}

ARENA_TEST(m4_movs_of_one_register_are_joined)
{
	struct run r = moved_shorter(state, QUAD,
	                             "ps_2_0\ndcl t0.xy\ndcl_2d s0\nmov r0.x, c0.z\nrcp r1.x, c0.w\nmov r0.y, c0.w\nadd r0.xy, r0, t0\n"
	                             "mov r2.x, r1.x\nmov r2.y, r1.x\nadd r2.xy, r2, t0\n"
	                             "texld r0, r0, s0\ntexld r2, r2, s0\nadd r0, r0, r2\nmov oC0, r0\n");
	expect_instrs(&r,
	              "mov oPos, v0\nmov oT0.xy, v1\nmov r0.xy, c0.zw\nrcp r1.x, c0.w\nadd oT1.xy, r0, v1\n"
	              "mov r2.xy, r1.x\nadd oT2.xy, r2, v1\n",
	              "texld r0, t1, s0\ntexld r2, t2, s0\nadd r0, r0, r2\nmov oC0, r0\n");
}

ARENA_TEST(m4_movs_are_not_joined_across_a_use)
{
	/* r0.y is read before it changes. */
	struct run r = moved_shorter(state, QUAD,
	                             "ps_2_0\ndcl t0.xy\ndcl_2d s0\nmov r0.y, c1.x\nmov r0.x, c0.z\nadd r1.xy, r0, t0\nmov r0.y, c0.w\n"
	                             "add r0.xy, r0, t0\ntexld r0, r0, s0\ntexld r1, r1, s0\nadd r0, r0, r1\nmov oC0, r0\n");
	expect_instrs(&r,
	              "mov oPos, v0\nmov oT0.xy, v1\nmov r0.y, c1.x\nmov r0.x, c0.z\nadd oT2.xy, r0, v1\nmov r0.y, c0.w\n"
	              "add oT1.xy, r0, v1\n",
	              "texld r0, t1, s0\ntexld r1, t2, s0\nadd r0, r0, r1\nmov oC0, r0\n");
}

ARENA_TEST(colours_are_clamped_and_arrive_centroid)
{
	struct run r = given(state,
	                     "vs_1_1\ndcl_position v0\ndcl_color v1\nmov oPos, v0\nmov oD0, v1\n",
	                     "ps_2_0\ndcl v0\ndcl_2d s0\nadd r0.xy, v0, c0\ntexld r0, r0, s0\nmul r0, r0, v0\nmov oC0, r0\n");
	r.options.colour_inputs = true;
	move(&r);
	expect(&r,
	       "vs_1_1\ndcl_position v0\ndcl_color v1\ndef c95, 0, 1, 0, 0\n"
	       "mov oPos, v0\nmov oD0, v1\nmov r1, v1\nmax r1.xy, r1, c95.x\nmin r1.xy, r1, c95.y\n"
	       "add r0.xy, r1, c0\nmov oT0.xy, r0.xy\n",
	       "ps_2_0\ndcl v0\ndcl_centroid t0.xy\ndcl_2d s0\ntexld r0, t0, s0\nmul r0, r0, v0\nmov oC0, r0\n");
}

ARENA_TEST(the_clamp_uses_a_literal_that_is_there)
{
	struct run r = given(state,
	                     "vs_1_1\ndef c3, 2, 1, 0, 0\ndcl_position v0\nmul oPos, v0, c3.x\nmov oD1.xy, v0\n",
	                     "ps_2_0\ndcl v1.xy\ndcl_2d s0\nmov r0.xy, v1\ntexld r0, r0, s0\nmov oC0, r0\n");
	r.options.colour_inputs = true;
	move(&r);
	expect_instrs(&r,
	              "mul oPos, v0, c3.x\nmov oD1.xy, v0\nmov r1.xy, v0\nmax r1.xy, r1, c3.w\n"
	              "min r1.xy, r1, c3.y\nmov r0.xy, r1\nmov oT0.xy, r0.xy\n",
	              "texld r0, t0, s0\nmov oC0, r0\n");
}

/* --- budgets ---------------------------------------------------------------------- */

static const char three_offsets[] =
	"ps_2_0\ndcl t0.xy\ndcl_2d s0\n"
	"add r0.xy, t0, c0\nadd r1.xy, t0, c1\nadd r2.xy, t0, c2\n"
	"texld r0, r0, s0\ntexld r1, r1, s0\ntexld r2, r2, s0\n"
	"add r0, r0, r1\nadd r0, r0, r2\nmov oC0, r0\n";

/* Checks that the first `n` of three_offsets move and the others are held back by `why`. */
static void expect_first(const struct run *r, unsigned n, enum verdict why)
{
	assert_int_equal(r->result->moved, n);
	for (unsigned k = 0; k < 3; k++) {
		assert_int_equal(verdict_of(r, k), k < n ? MOVE_MOVED : why);
		assert_int_equal(r->result->fates[k].moved, k < n ? MASK_XY : 0);
	}
	assert_int_equal(program_total_slots(r->result->ps), 9 - n);
}

ARENA_TEST(budget_of_vs_slots)
{
	struct run r = given(state, QUAD, three_offsets);
	r.options.budget.vs_slots = 7;
	move(&r);
	expect_first(&r, 2, MOVE_BUDGET_SLOTS);
	r.options.budget.vs_slots = 6;
	move(&r);
	expect_first(&r, 2, MOVE_BUDGET_SLOTS);
	r.options.budget.vs_slots = 3;
	move(&r);
	expect_first(&r, 0, MOVE_BUDGET_SLOTS);
}

ARENA_TEST(budget_of_vs_temps)
{
	struct run r = given(state, QUAD, three_offsets);
	r.options.budget.vs_temps = 1;
	move(&r);
	expect_first(&r, 1, MOVE_BUDGET_TEMPS);
	/* The budget counts registers, not numbers: r5 becomes r0. */
	r = given(state, QUAD, "ps_2_0\ndcl t0.xy\ndcl_2d s0\nadd r5.xy, t0, c0\ntexld r0, r5, s0\nmov oC0, r0\n");
	r.options.budget.vs_temps = 1;
	move(&r);
	assert_int_equal(r.result->moved, 1);
	assert_string_equal(instrs_of(r.arena, r.result->vs),
	                    "mov oPos, v0\nmov oT0.xy, v1\nadd r0.xy, v1, c0\nmov oT1.xy, r0.xy\n");
}

ARENA_TEST(budget_of_temps_for_copies_and_ports)
{
	struct run r = given(state, "vs_1_1\ndcl_position v0\nmov oPos, v0\nmul oT0.xy, v0, c9\n", three_offsets);
	r.options.budget.vs_temps = 3;
	move(&r);
	expect_first(&r, 2, MOVE_BUDGET_TEMPS);
	r.options.budget.vs_temps = 0;
	move(&r);
	expect_first(&r, 0, MOVE_BUDGET_TEMPS);
	r = given(state, "vs_1_1\ndcl_position v0\nmov oPos, v0\nmov oT0.xy, c9\n", three_offsets);
	r.options.budget.vs_temps = 3;
	move(&r);
	expect_first(&r, 2, MOVE_BUDGET_TEMPS);
}

ARENA_TEST(budget_of_vs_consts)
{
	struct run r = given(state, QUAD, three_offsets);
	r.options.budget.vs_consts = (struct range){1, 2};
	r.options.budget.vs_consts_given = true;
	move(&r);
	expect_first(&r, 2, MOVE_BUDGET_CONSTS);
	assert_int_equal(r.result->consts.n, 2);
	assert_int_equal(r.result->consts.at[0].vs, 1);
	assert_int_equal(r.result->consts.at[0].ps, 1);
	assert_int_equal(r.result->consts.at[1].vs, 2);
	assert_int_equal(r.result->consts.at[1].ps, 0);
}

ARENA_TEST(budget_of_interpolators)
{
	struct run r = given(state, QUAD, three_offsets);
	r.options.budget.texcoords = 3;
	move(&r);
	expect_first(&r, 2, MOVE_BUDGET_INTERP);
}

ARENA_TEST(budget_of_moves)
{
	struct run r = given(state, QUAD, three_offsets);
	for (unsigned n = 0; n < 4; n++) {
		r.options.max_moves = n;
		move(&r);
		expect_first(&r, n, MOVE_BUDGET_MOVES);
	}
}

ARENA_TEST(budget_of_ps_slots)
{
	struct run r = given(state, QUAD, three_offsets);
	r.options.ps_slots = 7;
	move(&r);
	expect_first(&r, 2, MOVE_BUDGET_MOVES);
	r.options.ps_slots = 20;
	move(&r);
	expect_first(&r, 0, MOVE_BUDGET_MOVES);
	r.options.ps_slots = 1;
	move(&r);
	expect_first(&r, 3, MOVE_MOVED);
}

ARENA_TEST(stages_are_monotone)
{
	struct run r = given(state, QUAD, FILTER);
	unsigned vs_slots = 0, ps_slots = 100;
	for (unsigned n = 0; n <= 9; n++) {
		r.options.max_moves = n;
		move(&r);
		assert_in_range(r.result->moved, 0, n);
		assert_in_range(program_total_slots(r.result->vs), vs_slots, 14);
		assert_in_range(program_total_slots(r.result->ps), 7, ps_slots);
		vs_slots = program_total_slots(r.result->vs);
		ps_slots = program_total_slots(r.result->ps);
	}
	assert_int_equal(vs_slots, 14);
	assert_int_equal(ps_slots, 7);
}

ARENA_TEST(copies_of_a_clamped_colour_need_a_constant)
{
	struct run r = given(state,
	                     "vs_1_1\ndcl_position v0\nmov oPos, v0\nmov oD0.xy, v0\n",
	                     "ps_2_0\ndcl v0.xy\ndcl_2d s0\nmov r0.xy, v0\ntexld r0, r0, s0\nmov oC0, r0\n");
	r.options.colour_inputs = true;
	r.options.budget.vs_consts = (struct range){0, -1};
	move(&r);
	assert_int_equal(verdict_of(&r, 0), MOVE_BUDGET_CONSTS);
}

/* --- declarations and comments ---------------------------------------------------- */

ARENA_TEST(declarations_follow_what_is_read)
{
	struct run r = moved(state,
	                     "vs_1_1\ndcl_position v0\nmov oPos, v0\nmov oT0, v0\nmov oT1, v0\nmov oT2, v0\n",
	                     "ps_2_0\ndef c1, 1, 0, 0, 0\ndef c2, 2, 0, 0, 0\ndcl t0\ndcl t1\ndcl t2.xy\ndcl_2d s0\n"
	                     "add r0.xy, t0, c1\ntexld r0, r0, s0\nmad r0, r0, t1.x, t1.y\nmov oC0, r0\n");
	assert_string_equal(text_of(r.arena, r.result->ps),
	                    "ps_2_0\ndef c2, 2, 0, 0, 0\ndcl t1\ndcl t2.xy\ndcl t3.xy\ndcl_2d s0\n"
	                    "texld r0, t3, s0\nmad r0, r0, t1.x, t1.y\nmov oC0, r0\n");
}

ARENA_TEST(comments_go_with_their_instructions)
{
	struct run r = moved(state, QUAD,
	                     "ps_2_0\n// the file's own words\ndcl t0.xy\n// read\ndcl_2d s0\n"
	                     "// one texel up\nadd r0.xy, t0, c0 // here\n// look\ntexld r0, r0, s0\nmov oC0, r0\n");
	expect(&r,
	       QUAD "// one texel up\nadd r0.xy, v1, c0 // here\nmov oT1.xy, r0.xy\n",
	       "ps_2_0\n// the file's own words\ndcl t1.xy\n// read\ndcl_2d s0\n"
	       "// look\ntexld r0, t1, s0\nmov oC0, r0\n");
}

ARENA_TEST(comments_of_dropped_declarations_stay)
{
	struct run r = moved(state, QUAD,
	                     "ps_2_0\ndcl_2d s0\ndcl t0.xy\n// step\ndef c0, 1, 0, 0, 0\n"
	                     "texld r1, t0, s0\nadd r0.xy, t0, c0\ntexld r0, r0, s0\nadd r0, r0, r1\nmov oC0, r0\n");
	assert_string_equal(text_of(r.arena, r.result->ps),
	                    "ps_2_0\ndcl_2d s0\ndcl t0.xy\ndcl t1.xy\n// step\ntexld r1, t0, s0\n"
	                    "texld r0, t1, s0\nadd r0, r0, r1\nmov oC0, r0\n");
}

ARENA_TEST(partial_precision_is_dropped_in_the_vp)
{
	struct run r = moved(state, QUAD,
	                     "ps_2_0\ndcl t0.xy\ndcl_2d s0\nadd_pp r0.xy, t0, c0\ntexld_pp r0, r0, s0\nmov_pp oC0, r0\n");
	expect_instrs(&r, "mov oPos, v0\nmov oT0.xy, v1\nadd r0.xy, v1, c0\nmov oT1.xy, r0.xy\n",
	              "texld_pp r0, t1, s0\nmov_pp oC0, r0\n");
}

ARENA_TEST(long_programs_of_other_profiles)
{
	/* 40 addresses in r31 .. of ps_2_b, one after the other: as many move as there are interpolators. */
	struct text ps = {.arena = *state};
	text_string(&ps, "ps_2_b\ndcl t0.xy\ndcl_2d s0\nmov r0, c31\n");
	for (int k = 0; k < 40; k++)
		text_printf(&ps, "add r31.xy, t0.yxzw, c%d\ntexld r1, r31, s0\nadd r0, r0, r1\n", k % 30);
	text_string(&ps, "mov oC0, r0\n");
	struct run r = moved(state, QUAD, ps.at);
	assert_int_equal(r.result->moved, 7);
	assert_int_equal(program_total_slots(r.result->ps), 122 - 7);
}
