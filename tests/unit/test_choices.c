/* Choices between movable values: instructions written for sums and products of them, equal by the proof; cases left alone; and that
 * it pays. */
#include "move/rules/rules.h"
#include "move/plan/plan.h"
#include "pairs.h"
#include "verify/verify.h"

static const char vp[] = "vs_1_1\ndcl_position v0\ndcl_texcoord v1\ndcl_texcoord1 v2\nmov oPos, v0\nmov oT0, v1\nmov oT1, v2\n";
#define HEAD "ps_2_0\ndef c31, 0.25, 0, 1, -2\ndcl t0\ndcl t1\ndcl_2d s0\n"
#define READ "texld r0, t0, s0\n"
#define END "texld r1, r1, s0\nmov oC0, r1\n"

/* Returns the instructions with such choices, or "" if there are none. */
static const char *pushed(struct arena *a, const char *body)
{
	const struct program *vs = parse_one(a, vp);
	struct program *ps = parse_one(a, arena_printf(a, HEAD READ "%s" END, body));
	struct program *new = variant_written(a, variant_choices, vs, ps, NULL);
	return new ? instrs_of(a, new) : "";
}

struct choice_case {
	const char *name, *body;
	unsigned slots[2]; /* of the whole pair at -O1 and -O2 */
};

static const struct choice_case cases[] = {
	{"a sum", "cmp r1.xy, r0.x, c0, c1\nadd r1.xy, r1, t1\n", {5, 4}},
	{"the chosen one is taken away", "cmp r1.xy, r0.x, c0, c1.wzyx\nsub r1.xy, t1, r1\n", {5, 4}},
	{"a product", "cmp r1.xy, r0.x, c0, c31.x\nmul r1.xy, t1, r1\n", {5, 4}},
	{"a constant factor", "cmp r1.xy, r0.x, t0, t1\nmul r1.xy, r1, c0\n", {5, 4}},
	{"a product and a sum", "cmp r1.xy, -r0.x, c0, c31.x\nmad r1.xy, t1, r1, t1.wzyx\n", {5, 4}},
	{"a lane from elsewhere", "cmp r1.x, r0.x, -c0.x, c0.x\nmov r1.y, c0.y\nadd r1.xy, r1, t0\n", {6, 4}},
	{"a mov beside it", "cmp r1.x, r0.x, t1.x, t1.y\nmov r1.y, t1.z\n", {5, 4}},
	{"one after the other", "cmp r1.xy, r0.x, c0, c1\nmul r1.xy, r1, c2\nadd r1.xy, r1, t1\n", {6, 4}},
	{"in the place of what decides", "cmp r0.xy, r0.x, c0, c1\nadd r1.xy, r0, t1\n", {5, 4}},
	{"clamped", "cmp r1.xy, r0.x, c0, c1\nadd_sat r1.xy, r1, t1\n", {5, 4}},
};

/* These are no choices between movable values, or nothing can be pushed into them as a whole. */
static const char *const left_alone[] = {
	"cmp r1.xy, r0.x, r0.y, c1\nadd r1.xy, r1, t1\n",
	"cmp r1.xy, r0.x, c0, c1\nadd r1.xy, r1, r0\n",
	"cmp r1.xy, r0.x, t0, t1\nmul r1.xy, r1, t1\n",
	"cmp_sat r1.xy, r0.x, c0, c1\nadd r1.xy, r1, t1\n",
	"cmp r1.xy, r0.x, c0, c1\n",
	"cmp r1.xy, r0.x, c0, c1\nadd r2.xy, r1, t1\nmad r1.xy, r1, c2, r2\n",
	"cmp r1.xy, r0.x, c0, c1\nmul r1.xy, r1, r1\n",
	"cmp r1.xy, r0.x, c0, c1\nmov r0.x, c2.x\nadd r1.xy, r1, r0.x\n",
	"cmp r1.x, r0.x, c0, c1\nmov r1.y, r0\n",
};

static unsigned slots_at(struct arena *a, int level, const char *body)
{
	return slots_planned(a, parse_one(a, vp), parse_one(a, arena_printf(a, HEAD READ "%s" END, body)), level);
}

ARENA_TEST(test_pushed)
{
	for (unsigned k = 0; k < sizeof cases / sizeof *cases; k++) {
		print_message("%s\n", cases[k].name);
		assert_string_not_equal(pushed(*state, cases[k].body), "");
	}
	assert_string_equal(pushed(*state, "cmp r1.xy, r0.x, c0, c1\nadd r1.xy, r1, t1\n"),
	                    READ "mov r1.xy, c0\nmov r2.xy, c1\nadd r1.xy, r1, t1\nadd r2.xy, r2, t1\ncmp r1.xy, r0.x, r1, r2\n" END);
}

ARENA_TEST(test_left_alone)
{
	for (unsigned k = 0; k < sizeof left_alone / sizeof *left_alone; k++) {
		print_message("%s", left_alone[k]);
		assert_string_equal(pushed(*state, left_alone[k]), "");
	}
}

ARENA_TEST(test_slots)
{
	for (unsigned k = 0; k < sizeof cases / sizeof *cases; k++) {
		print_message("%s\n", cases[k].name);
		for (int level = 1; level <= 2; level++)
			assert_int_equal(slots_at(*state, level, cases[k].body), cases[k].slots[level - 1]);
	}
}
