/* Value numbers: lanes that are constant, affine or pixel, equal values, and folds. */
#include "pairs.h"

#include "move/graph/values.h"
#include "move/passes.h"

#include <math.h>
#include <stdio.h>

#define VP "vs_1_1\ndcl_position v0\ndcl_normal v1\ndcl_texcoord v2\nmov oPos, v0\nmov oT0, v0\nmov oT1, v1\nmov oT2.xy, v2\n"
#define FP                                                                                                           \
	"ps_2_0\ndef c0, 2, 3, 0, 1\ndef c1, -1, 0.5, 4, 0\ndcl t0\ndcl t1\ndcl t2\ndcl_2d s0\n"

struct numbered {
	struct values *v;
	const struct program *ps;
};

static struct numbered number(void **state, const char *instrs)
{
	char text[4096];
	snprintf(text, sizeof text, FP "%s", instrs);
	struct numbered n = {.ps = parse_one(*state, text)};
	n.v = values_number(*state, parse_one(*state, VP), n.ps);
	return n;
}

static value_id id_at(struct numbered n, unsigned instr, unsigned lane)
{
	return n.v->def[instr][lane];
}

static enum value_class class_of(struct numbered n, unsigned instr, unsigned lane)
{
	return value_at(n.v, id_at(n, instr, lane))->class;
}

/* Returns the class of the last instruction's x. */
static enum value_class class_of_last(void **state, const char *instrs)
{
	struct numbered n = number(state, instrs);
	return class_of(n, n.ps->instrs.n - 1, LANE_X);
}

ARENA_TEST(classes_of_opcodes)
{
	static const struct {
		const char *instrs;
		enum value_class class;
	} cases[] = {
		{"mov r0, c0", VALUE_CONST}, {"mov r0, -t0", VALUE_AFFINE}, {"mov r0, v0", VALUE_PIXEL},
		{"add r0, t0, c5", VALUE_AFFINE}, {"add r0, c5, c5", VALUE_CONST}, {"sub r0, c5, t0", VALUE_AFFINE},
		{"mul r0, t0, c5", VALUE_AFFINE}, {"mul r0, t0, t0", VALUE_PIXEL}, {"mul r0, c5, c5", VALUE_CONST},
		{"mul r0, t0, c1.w", VALUE_CONST}, {"mad r0, t0, c5, t0", VALUE_AFFINE}, {"mad r0, t0, t0, c5", VALUE_PIXEL},
		{"mad r0, c5, c5, c5", VALUE_CONST}, {"lrp r0, c5, t0, t0.wzyx", VALUE_AFFINE},
		{"lrp r0, t0, c5, c5.wzyx", VALUE_AFFINE}, {"lrp r0, t0, t0.x, c5", VALUE_PIXEL},
		{"dp3 r0, t0, c5", VALUE_AFFINE}, {"dp3 r0, t0, t0", VALUE_PIXEL}, {"dp3 r0, c5, c5", VALUE_CONST},
		{"dp4 r0, c5, t0", VALUE_AFFINE}, {"dp4 r0, c5, c5", VALUE_CONST}, {"dp2add r0, t0, c5, t0.x", VALUE_AFFINE},
		{"dp2add r0, t0, t0, c5.x", VALUE_PIXEL}, {"mov r1, t0\ncrs r0.xyz, r1, c5", VALUE_AFFINE},
		{"mov r1, t0\ncrs r0.xyz, r1, t0", VALUE_PIXEL}, {"m3x3 r0.xyz, t0, c4", VALUE_AFFINE},
		{"m4x4 r0, t0, c4", VALUE_AFFINE}, {"mov r1, c9\nm3x2 r0.xy, r1, c4", VALUE_CONST},
		{"abs r0, c5", VALUE_CONST}, {"abs r0, t0", VALUE_PIXEL}, {"max r0, c5, c5.x", VALUE_CONST},
		{"max r0, t0, c5", VALUE_PIXEL}, {"min r0, c5, c5.x", VALUE_CONST}, {"min r0, t0, c5", VALUE_PIXEL},
		{"cmp r0, c5, c5.x, c5.y", VALUE_CONST}, {"cmp r0, t0, c5, c5", VALUE_PIXEL},
		{"frc r0, c5", VALUE_CONST}, {"frc r0, t0", VALUE_PIXEL}, {"rcp r0, c5.x", VALUE_CONST},
		{"rcp r0, t0.x", VALUE_PIXEL}, {"rsq r0, c5.x", VALUE_CONST}, {"exp r0, c5.x", VALUE_CONST},
		{"log r0, c5.x", VALUE_CONST}, {"log r0, t0.x", VALUE_PIXEL}, {"pow r0, c5.x, c5.y", VALUE_CONST},
		{"mov r1, c5\nnrm r0, r1", VALUE_CONST}, {"nrm r0, t0", VALUE_PIXEL}, {"mov_sat r0, c5", VALUE_CONST},
		{"mov_sat r0, t0", VALUE_PIXEL}, {"texld r0, t0, s0", VALUE_PIXEL}, {"mov r0, r7", VALUE_PIXEL},
		{"mov r0.x, t2.z", VALUE_PIXEL}, {"mov r0.x, t2.y", VALUE_AFFINE},
	};
	for (unsigned k = 0; k < sizeof cases / sizeof *cases; k++) {
		enum value_class found = class_of_last(state, cases[k].instrs);
		if (found != cases[k].class)
			print_error("%s\n", cases[k].instrs);
		assert_int_equal(found, cases[k].class);
	}
}

/* Checks whether the x lanes of instructions a and b have the same number. */
static void expect_equal(void **state, const char *instrs, unsigned a, unsigned b, bool equal)
{
	struct numbered n = number(state, instrs);
	if ((id_at(n, a, LANE_X) == id_at(n, b, LANE_X)) != equal)
		print_error("%s\n", instrs);
	assert_true((id_at(n, a, LANE_X) == id_at(n, b, LANE_X)) == equal);
}

ARENA_TEST(values_written_differently_are_equal)
{
	expect_equal(state, "add r0, t0, c5\nadd r1, c5, t0\n", 0, 1, true);
	expect_equal(state, "add r0, t0, t0\nmul r1, t0, c0.x\n", 0, 1, true);
	expect_equal(state, "sub r0, t0, c5\nmov r1, -c5\nadd r1, r1, t0\n", 0, 2, true);
	expect_equal(state, "lrp r0, c5, t0.x, t0.y\nsub r1, t0.x, t0.y\nmad r2, c5, r1, t0.y\n", 0, 2, true);
	expect_equal(state, "dp3 r0, t0, c5\nmul r1, t0, c5\nadd r2, r1.x, r1.y\nadd r3, r2, r1.z\n", 0, 3, true);
	expect_equal(state, "add r0, t0, c5\nsub r1, r0, c5\nmov r2, t0\n", 1, 2, true);
	expect_equal(state, "max r0, c5, c5.y\nmax r1, c5.y, c5\n", 0, 1, true);
	expect_equal(state, "abs r0, c5\nmov r1, -c5\nmax r2, r1, c5\n", 0, 2, true);
	expect_equal(state, "max r0, c5, c5.y\nmin r1, -c5, -c5.y\nmov r2, -r1\n", 0, 2, true);
	expect_equal(state, "rcp r0, c5.x\nmul r1, r0, c5\nmov r2, c0.w\n", 1, 2, true);
}

ARENA_TEST(different_values_are_not)
{
	expect_equal(state, "add r0, t0, c5\nadd r1, t0, c6\n", 0, 1, false);
	expect_equal(state, "mov r0, t0\nmov r1, t1\n", 0, 1, false);
	expect_equal(state, "mov r0, t0\nmov r1, -t0\n", 0, 1, false);
	expect_equal(state, "rcp r0, c5.x\nrsq r1, c5.x\n", 0, 1, false);
	expect_equal(state, "cmp r0, c5, c6, c6.y\ncmp r1, c5, c6.y, c6\n", 0, 1, false);
	expect_equal(state, "pow r0, c5.x, c5.y\npow r1, c5.y, c5.x\n", 0, 1, false);
	expect_equal(state, "texld r0, t0, s0\ntexld r1, t0, s0\n", 0, 1, false);
}

ARENA_TEST(sums_that_vanish_are_constant)
{
	struct numbered n = number(state, "sub r0, t0, t0\nmul r1, t0, c5\nsub r2, r1, r1\n");
	assert_int_equal(id_at(n, 0, LANE_X), n.v->zero);
	assert_int_equal(class_of(n, 2, LANE_X), VALUE_CONST);
}

ARENA_TEST(negation_is_found_only_where_it_exists)
{
	struct numbered n = number(state, "mov r0, t0\nmov r1, -t0\nmov r2, t1\n");
	assert_int_equal(value_find_negated(n.v, id_at(n, 0, LANE_X)), id_at(n, 1, LANE_X));
	assert_int_equal(value_find_negated(n.v, id_at(n, 1, LANE_X)), id_at(n, 0, LANE_X));
	assert_int_equal(value_find_negated(n.v, id_at(n, 2, LANE_X)), NO_VALUE);
	value_id opposite = value_negated(n.v, id_at(n, 2, LANE_X));
	assert_int_equal(value_find_negated(n.v, id_at(n, 2, LANE_X)), opposite);
	assert_int_equal(value_negated(n.v, opposite), id_at(n, 2, LANE_X));
}

ARENA_TEST(kinds_do_not_mix)
{
	struct arena *arena = *state;
	const struct program *ps = parse_one(arena, "ps_2_0\ndcl t0\ndcl_centroid t1\ndcl_pp t2\nadd r0, t0, c0\n"
	                                            "add r1, r0, t1\nadd r2, r0, t2\nmul r3, t1, c0\n");
	struct values *v = values_number(arena, parse_one(arena, VP), ps);
	assert_int_equal(value_at(v, v->def[0][0])->class, VALUE_AFFINE);
	assert_int_equal(value_at(v, v->def[0][0])->kind, 0);
	assert_int_equal(value_at(v, v->def[1][0])->class, VALUE_PIXEL);
	assert_int_equal(value_at(v, v->def[2][0])->class, VALUE_PIXEL);
	assert_int_equal(value_at(v, v->def[3][0])->kind, INSTR_CENTROID);
}

ARENA_TEST(what_no_float_holds_is_wild)
{
	struct numbered n = number(state, "rcp r0, c1.w\nmul r1, r0, c1.w\nlog r2, c1.w\nmov r3, c0\n"
	                                  "mov r4, c1.w\npow r5, r4.x, c1.w\n");
	assert_true(value_at(n.v, id_at(n, 0, LANE_X))->wild);
	assert_false(value_at(n.v, id_at(n, 0, LANE_X))->known);
	assert_true(value_at(n.v, id_at(n, 1, LANE_X))->wild); /* neither 0 nor 1 */
	assert_true(id_at(n, 1, LANE_X) != n.v->zero && id_at(n, 1, LANE_X) != n.v->one);
	assert_true(value_at(n.v, id_at(n, 2, LANE_X))->wild);
	assert_false(value_at(n.v, id_at(n, 3, LANE_X))->wild);
	assert_true(value_at(n.v, id_at(n, 5, LANE_X))->wild); /* 0^0, by log and exp */
}

ARENA_TEST(literals_fold)
{
	struct numbered n = number(state, "mad r0, c0.x, c0.y, c0.w\nrcp r1, r0.x\nmul r2, r1, c5\ndp3 r3, c0, c0\n"
	                                  "frc r4, c1.y\nexp r5, c0.y\nmov_sat r6, c0.y\n");
	static const double want[] = {7, 1.0 / 7, 0, 13, 0.5, 8, 1};
	for (unsigned k = 0; k < 7; k++) {
		const struct value *x = value_at(n.v, id_at(n, k, LANE_X));
		assert_int_equal(x->known, k != 2);
		assert_int_equal(x->app, k == 2);
		if (k != 2)
			assert_true(fabs((double)x->number - want[k]) < 1e-9);
	}
}

/* Checks a jump at an inexact number: rsq(2) squared, times 2, is 1 or a little less, so that its fraction is 0 or nearly 1.  The same
 * holds for exp(3) on hardware; and beside 2^80, which multiplications make, even a long double has lost the other digits. */
ARENA_TEST(a_jump_at_what_is_inexact_is_no_number)
{
	struct numbered n = number(state, "rsq r0, c0.x\nmul r1, r0, r0\nmul r2, r1, c0.x\nfrc r3, r2\nexp r4, c0.y\nfrc r5, r4\n");
	for (uint32_t k = 0; k < 6; k++)
		assert_true(value_at(n.v, id_at(n, k, LANE_X))->wild);
	n = number(state, "exp r0, c0.y\nfrc r1, r0\n");
	assert_true(value_at(n.v, id_at(n, 1, LANE_X))->wild);
	n = number(state, "def c9, 1208925819614629174706176, 0.1, 0, 0\nadd r0, c9.x, c9.y\nfrc r1, r0\nfrc r2, c9\n");
	assert_true(value_at(n.v, id_at(n, 1, LANE_X))->wild);
	assert_true(value_at(n.v, id_at(n, 2, LANE_X))->known && value_at(n.v, id_at(n, 2, LANE_Y))->known);
}

/* Checks choices from c0 = (2, 3, 0, 1), which is exact. */
ARENA_TEST(what_is_chosen_from_exact_numbers_is_one_of_them)
{
	expect_equal(state, "frc r0, c0.x\nmul r1, r0, c5\nmov r2, c0.z\n", 1, 2, true);
	expect_equal(state, "max r0, c0.x, c0.y\nmov r1, c0.y\n", 0, 1, true);
	expect_equal(state, "cmp r0, -c0.x, c0.y, c0.w\nmov r1, c0.w\n", 0, 1, true);
	expect_equal(state, "mov_sat r0, c0.y\nmov r1, c0.w\n", 0, 1, true);
	expect_equal(state, "def c9, 0.000000000000000000000000000000000000012, 0, 0, 0\nfrc r0, -c9.x\nmov r1, c0.w\n", 0, 1, false);
	expect_equal(state, "rsq r0, c0.y\nfrc r1, r0\nmul r2, r1, r1\nmul r3, r0, r0\n", 2, 3, false);
	struct numbered n = number(state, "max r0, c0.z, -c0.x\nmul r1, r0, c5\nrcp r2, r1.x\n");
	assert_true(value_at(n.v, id_at(n, 2, LANE_X))->wild); /* the value is 1 / 0 */
}

ARENA_TEST(folds_say_how)
{
	struct numbered n = number(state, "mul r0, c0.x, c0.y\nrsq r0, r0.x\nmov r1, c0\n");
	struct folds folds = {.n = 0};
	struct program new = {.model = PS_2_0};
	value_id lanes_of[LANES] = {NO_VALUE, id_at(n, 2, LANE_X), NO_VALUE, NO_VALUE};
	assert_true(value_add_constant(n.v, lanes_of, false, 3, &new, &folds));
	assert_int_equal(folds.n, 0); /* the literal is used as it stands */
	assert_true(new.decls.n == 1 && new.decls.at[0].value[LANE_Y] == 2);
	lanes_of[LANE_Y] = id_at(n, 1, LANE_X);
	assert_true(value_add_constant(n.v, lanes_of, false, 3, &new, &folds));
	assert_int_equal(folds.n, 1);
	assert_int_equal(folds.at[0].stage, STAGE_PIXEL);
	assert_int_equal(folds.at[0].index, 3);
	assert_int_equal(folds.at[0].lane, LANE_Y);
	const char *text = instrs_of(*state, folds.at[0].expr);
	assert_non_null(strstr(text, "mul "));
	assert_non_null(strstr(text, "rsq "));
}

ARENA_TEST(raw_inputs_are_known)
{
	struct numbered n = number(state, "mov r0, t1.w\nadd r1, t1, c5\nsub r2, r1, c5\nmov r3, -t1\n");
	assert_int_equal(value_raw_input(n.v, id_at(n, 0, LANE_X)), 4 + LANE_W);
	assert_int_equal(value_raw_input(n.v, id_at(n, 1, LANE_X)), -1);
	assert_int_equal(value_raw_input(n.v, id_at(n, 2, LANE_X)), 4 + LANE_X);
	assert_int_equal(value_raw_input(n.v, id_at(n, 3, LANE_X)), -1);
}

ARENA_TEST(many_values_keep_their_numbers)
{
	struct text t = {.arena = *state};
	text_string(&t, "ps_2_b\ndcl t0\n");
	for (unsigned k = 0; k < 200; k++)
		text_printf(&t, "mad r%u, t0, c%u, c%u.%c\n", k % 30, k % 25, k % 25, "xyzw"[k / 25 % 4]);
	for (unsigned k = 0; k < 25; k++)
		text_printf(&t, "mad r0, t0, c%u, c%u.x\n", k, k);
	const struct program *ps = parse_one(*state, t.at);
	struct values *v = values_number(*state, parse_one(*state, VP), ps);
	for (unsigned k = 0; k < 25; k++)
		for (unsigned lane = 0; lane < LANES; lane++)
			assert_int_equal(v->def[200 + k][lane], v->def[k][lane]);
}

/* Checks values that stay under every plan: a pixel value, and an instruction with one pixel lane; constants, affine values and work
 * on them may move. */
ARENA_TEST(staying_whatever_is_planned)
{
	struct numbered const n = number(state, "mov r0, c5\nmad r1, t0, c5, c6\nadd r1, r1, r0\nrcp r2.x, t0.x\nmul r3.xy, r2.x, c5\n"
	                                        "mov r4.xy, t2.yzzz\nmov oC0, r4\n");
	static const bool wanted[] = {false, false, false, true, true, true, true};
	struct move_options const o = move_options_default(VS_1_1, PS_2_0);
	bool stays[sizeof wanted];
	assert_int_equal(n.ps->instrs.n, sizeof wanted);
	move_find_staying(*state, parse_one(*state, VP), n.ps, &o, stays);
	assert_memory_equal(stays, wanted, sizeof wanted);
}
