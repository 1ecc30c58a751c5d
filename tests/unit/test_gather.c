/* Instructions that read different movable values, gathered into one: the text written, equal by the proof; cases left alone; and that
 * gathering pays. */
#include "move/rules/rules.h"
#include "pairs.h"
#include "verify/verify.h"

static const char vp[] = "vs_1_1\ndcl_position v0\ndcl_texcoord v1\ndcl_texcoord1 v2\nmov oPos, v0\nmov oT0.xy, v1\nmov oT1, v2\n";
#define HEAD "ps_2_0\ndef c31, 0, 1, 2, -1\ndcl t0.xy\ndcl t1\ndcl_2d s0\n"
#define READ "texld r1, t0, s0\n"
#define END "texld r0, r2, s0\nmov oC0, r0\n"

/* Returns the instructions with gathered operands, or "" if there are none. */
static const char *gathered(struct arena *a, const char *body)
{
	const struct program *vs = parse_one(a, vp);
	struct program *ps = parse_one(a, arena_printf(a, HEAD READ "%s" END, body));
	struct program *new = variant_written(a, variant_gather, vs, ps, NULL);
	return new ? instrs_of(a, new) : "";
}

struct gather_case {
	const char *name, *body;
	unsigned slots[2]; /* of the whole pair at -O1 and -O2 */
};

static const struct gather_case cases[] = {
	{"one product each", "mad r2.x, r1.x, -t1.y, r1.x\nmad r2.y, r1.x, t1.x, r1.y\n", {5, 4}},
	{"in registers of their own", "add r3.x, r1.x, t1.y\nadd r4.x, r1.x, c0.z\nmul r2.x, r3.x, r4.x\nmul r2.y, r4.x, r4.x\n", {7, 6}},
	{"rows of constants", "mul r2.x, r1.x, c0.x\nmad r2.x, r1.y, c0.z, r2.x\nmul r2.y, r1.x, c0.y\nmad r2.y, r1.y, c0.w, r2.y\n", {7, 5}},
};

/* The instructions have other pixel values or flags, or readers that read more; a later comparison needs the exact value; the next one
 * needs the operand; or no movs are saved. */
static const char *const left_alone[] = {
	"mul r2.x, r1.x, t1.x\nmul r2.y, r1.z, t1.w\n",
	"mul r2.x, r1.x, t1.x\nmul_sat r2.y, r1.x, -t1.y\n",
	"mul r2.x, r1.x, t1.x\nmul r2.y, r2.x, -t1.y\n",
	"mul r2.x, r1.x, t1.x\nmul r2.y, r1.x, t1.y\n",
	"add r2.x, r1.x, t1.x\nmul r2.y, r1.x, -t1.y\n",
	"add r2.xy, r1, t1\nadd r3.x, r1.x, t1.z\nmov r2.z, r3.x\nadd r2.xy, r2, r2.z\n",
};

static unsigned slots_at(struct arena *a, int level, const char *body)
{
	return slots_planned(a, parse_one(a, vp), parse_one(a, arena_printf(a, HEAD READ "%s" END, body)), level);
}

ARENA_TEST(test_gathered)
{
	for (unsigned k = 0; k < sizeof cases / sizeof *cases; k++) {
		print_message("%s\n%s", cases[k].name, gathered(*state, cases[k].body));
		assert_string_not_equal(gathered(*state, cases[k].body), "");
	}
}

ARENA_TEST(test_left_alone)
{
	for (unsigned k = 0; k < sizeof left_alone / sizeof *left_alone; k++) {
		print_message("%s", left_alone[k]);
		assert_string_equal(gathered(*state, left_alone[k]), "");
	}
}

ARENA_TEST(test_pays)
{
	for (unsigned k = 0; k < sizeof cases / sizeof *cases; k++) {
		print_message("%s: %u %u\n", cases[k].name, slots_at(*state, 1, cases[k].body), slots_at(*state, 2, cases[k].body));
		assert_int_equal(slots_at(*state, 1, cases[k].body), cases[k].slots[0]);
		assert_int_equal(slots_at(*state, 2, cases[k].body), cases[k].slots[1]);
	}
}
