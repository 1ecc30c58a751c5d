/* The algebra column of ops.def: each opcode, evaluated in floating-point numbers, gives the result of the interpreter, which does not
 * use that column. */
#include "pairs.h"

#include "move/graph/evaluate.h"
#include "verify/interp.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TRIALS = 20 };

/* The domain of doubles: a worth is an index of `at`. */
struct numbers {
	double at[4096];
	uint32_t n;
	const float (*constant)[LANES];
	double out[LANES]; /* of oC0, oT0 */
};

static worth put(struct evaluation *e, double x)
{
	struct numbers *all = e->self;
	assert_true(all->n < sizeof all->at / sizeof *all->at);
	all->at[all->n] = x;
	return all->n++;
}

static double get(const struct evaluation *e, worth x)
{
	const struct numbers *all = e->self;
	return x == NO_WORTH ? (double)NAN : all->at[x];
}

static worth given(struct evaluation *e, enum reg_file file, int index, unsigned lane, worth by)
{
	const struct numbers *all = e->self;
	assert_int_equal(by, NO_WORTH);
	return file == REG_CONST ? put(e, (double)all->constant[index][lane]) : NO_WORTH;
}

static worth literal(struct evaluation *e, float x)
{
	return put(e, (double)x);
}

static worth minus(struct evaluation *e, worth x)
{
	return put(e, -get(e, x));
}

static worth sum(struct evaluation *e, worth x, worth y)
{
	return put(e, get(e, x) + get(e, y));
}

static worth product(struct evaluation *e, worth x, worth y)
{
	return put(e, get(e, x) * get(e, y));
}

static worth function(struct evaluation *e, enum op op, const worth *arg, unsigned n)
{
	double x = get(e, arg[0]), y = n > 1 ? get(e, arg[1]) : 0, z = n > 2 ? get(e, arg[2]) : 0;
	if (op == SATURATED)
		return put(e, x < 0 ? 0 : x > 1 ? 1 : x);
	switch (op) {
	case OP_ABS: return put(e, fabs(x));
	case OP_CMP: return x >= 0 ? arg[1] : arg[2];
	case OP_EXP: return put(e, exp2(x));
	case OP_FRC: return put(e, x - floor(x));
	case OP_LIT: return put(e, x > 0 ? pow(y > 0 ? y : 0, z) : 0);
	case OP_LOG: return put(e, log2(fabs(x)));
	case OP_MAX: return put(e, x >= y ? x : y);
	case OP_MIN: return put(e, x < y ? x : y);
	case OP_POW: return put(e, pow(fabs(x), y));
	case OP_RCP: return put(e, 1 / x);
	case OP_RSQ: return put(e, 1 / sqrt(fabs(x)));
	case OP_SGE: return put(e, x >= y);
	case OP_SLT: return put(e, x < y);
	case OP_SGN: return put(e, (x > 0) - (x < 0));
	case OP_SINCOS: return put(e, e->lane == LANE_X ? cos(x) : sin(x));
	default: return NO_WORTH; /* no number */
	}
}

static worth result(struct evaluation *e, worth x)
{
	struct numbers *all = e->self;
	if (instr_at_hand(e)->dst.file != REG_TEMP)
		all->out[e->lane] = get(e, x);
	return x;
}

static const struct domain doubles = {given, literal, minus, sum, product, NULL, NULL, function, NULL, result};

static uint32_t draw(uint32_t *seed)
{
	*seed = *seed * 1664525 + 1013904223;
	return *seed >> 8;
}

/* Returns a source that the opcode may have: r1, r2 or r3. */
static const char *source(struct arena *a, const struct op_info *op, unsigned s, uint32_t *seed)
{
	static const char *const any[] = {"", ".yzxw", ".zxyw", ".wzyx", ".x", ".y", ".z", ".w"};
	bool const scalar = op->shape == SHAPE_SCALAR || (op->shape == SHAPE_DP2ADD && s == 2) || (op->shape == SHAPE_SINCOS && s == 0);
	bool const free = op->shape == SHAPE_LANES || op->shape == SHAPE_DP3 || op->shape == SHAPE_DP4;
	if (s > 0 && op->shape == SHAPE_SINCOS)
		return s == 1 ? "c8" : "c9";
	if (s > 0 && op->shape == SHAPE_MATRIX)
		return "c3";
	if (s > 0 && op->shape == SHAPE_SGN)
		return s == 1 ? "r4" : "r5";
	return arena_printf(a, "%sr%u%s", draw(seed) % 2 ? "-" : "", s + 1, any[scalar ? 4 + draw(seed) % 4 : free ? draw(seed) % 8 : 0]);
}

static const char *mask(enum op op)
{
	switch (ops[op].shape) {
	case SHAPE_CROSS:
	case SHAPE_NRM: return ".xyz";
	case SHAPE_SINCOS: return ".xy";
	case SHAPE_MATRIX: return op == OP_M3X2 ? ".xy" : op == OP_M3X3 || op == OP_M4X3 ? ".xyz" : "";
	default: return "";
	}
}

/* Returns a program of the model that writes the opcode's result to an output of four lanes. */
static const char *program_with(struct arena *a, enum op op, enum model model, uint32_t *seed)
{
	static const char sincos[] = "def c8, -0.0000015500992, -0.00002170139, 0.0026041667, 0.00026041668\ndef c9, -0.020833334, -0.125, 1, 0.5\n";
	const char *text = arena_printf(a, "%s r0%s", ops[op].name, mask(op));
	for (unsigned s = 0; s < ops[op].sources; s++)
		text = arena_printf(a, "%s, %s", text, source(a, &ops[op], s, seed));
	text = arena_printf(a, "%s\n%smov r1, c0\nmov r2, c1\nmov r3, c2\nmov r0, c0\n%s\n", model == PS_2_0 ? "ps_2_0" : "vs_2_0\ndcl_position v0",
	                    op == OP_SINCOS ? sincos : "", text);
	return arena_printf(a, model == PS_2_0 ? "%smov oC0, r0\n" : "%smov oPos, v0\nmov oT0, r0\n", text);
}

static void one_program(struct arena *a, const char *text, enum model model, const float constant[INTERP_CONSTS][LANES])
{
	const char *vs = model == PS_2_0 ? "vs_1_1\ndcl_position v0\nmov oPos, v0\n" : text;
	const char *ps = model == PS_2_0 ? text : "ps_2_0\ndcl t0\nmov oC0, t0\n";
	struct interp_scene const scene = {.vs_const = constant, .ps_const = constant, .flat_w = true, .w = {1, 1, 1}};
	float got[LANES], third = 1.0f / 3;
	struct interp_pixels const pixels = {.n = 1, .weight = {&third, &third}, .colour = {{&got[0], &got[1], &got[2], &got[3]}}};
	interp_draw(a, (struct pair){parse_one(a, vs), parse_one(a, ps)}, &scene, &pixels);
	struct numbers all = {.n = 0, .constant = constant};
	struct evaluation e = {.domain = &doubles, .self = &all, .program = parse_one(a, text)};
	evaluate(a, &e, NULL);
	for (unsigned l = 0; l < LANES; l++) {
		bool const infinite = isinf(got[l]) && isinf(all.out[l]) && (got[l] > 0) == (all.out[l] > 0);
		if (infinite || fabs((double)got[l] - all.out[l]) <= 1e-4 * (1 + fabs(all.out[l])))
			continue;
		print_error("%s: lane %u is %.9g, not %.9g\n", text, l, all.out[l], (double)got[l]);
		fail();
	}
}

/* Checks each opcode with an algebra, or with a function of mathematics, in each stage that has it. */
TEST(column)
{
	static const enum model models_of[] = {PS_2_0, VS_2_0};
	uint32_t seed = 7;
	unsigned opcodes = 0;
	(void)state;
	for (enum op op = 0; op < OP_BREAK; op++) {
		bool const none = ops[op].flags & OPF_TEX || op == OP_NOP || op == OP_MOVA || op == OP_EXPP || op == OP_LOGP ||
		                  (!op_slots(op, PS_2_0) && !op_slots(op, VS_2_0)); /* opcodes of model 3 only, none of which is a formula */
		opcodes += !none;
		for (unsigned k = 0; k < TRIALS * 2 && !none; k++) {
			enum model const model = models_of[k % 2];
			float constant[INTERP_CONSTS][LANES] = {{0}};
			struct arena arena;
			if (op_slots(op, model) == 0)
				continue;
			arena_init(&arena, NULL);
			for (unsigned c = 0; c < 8 * LANES; c++)
				constant[c / LANES][c % LANES] = ((float)(draw(&seed) % 4000) + 300) / 1500 * (draw(&seed) % 2 ? -1.0f : 1.0f);
			one_program(&arena, program_with(&arena, op, model, &seed), model, (const float (*)[LANES])constant);
			arena_free(&arena);
		}
	}
	assert_int_equal(opcodes, OP_BREAK - 13);
}

/* Checks a walk: its uses of sources, a0, a clobbered register and lanes that are not needed. */
TEST(walk)
{
	static const char text[] = "vs_2_0\ndcl_position v0\nmov r1, c0\nmov r4, c0\nsgn r0, r1, r4, r5\nadd r2.xy, r1, -c1\nadd r3, r4, c1\n"
	                           "mov oPos, v0\nmov oT0, r3\n";
	static const float constant[INTERP_CONSTS][LANES] = {{1, -2, 3, 4}, {5, 6, 7, 8}};
	struct arena arena;
	struct numbers all = {.n = 0, .constant = constant};
	(void)state;
	arena_init(&arena, NULL);
	struct evaluation e = {.domain = &doubles, .self = &all, .program = parse_one(&arena, text)};
	evaluate(&arena, &e, NULL);
	assert_int_equal(e.uses[3][0].read, MASK_XY);
	assert_int_equal(e.uses[3][0].def[LANE_Y], 0);
	assert_int_equal(e.uses[3][1].def[LANE_X], -1);
	assert_true(get(&e, e.uses[3][1].value[LANE_Y]) == -6);
	assert_int_equal(e.uses[3][0].value[LANE_Z], NO_WORTH); /* not read */
	assert_int_equal(e.uses[4][0].def[LANE_X], -2);         /* clobbered by sgn */
	assert_int_equal(e.uses[4][0].value[LANE_X], NO_WORTH);
	assert_true(isnan(all.out[LANE_X]));
	lanes const needed[] = {MASK_X, 0, 0, MASK_X, 0, 0, 0};
	struct evaluation part = {.domain = &doubles, .self = &all, .program = e.program};
	evaluate(&arena, &part, needed);
	assert_true(get(&part, part.temp[2][LANE_X]) == -4);
	assert_int_equal(part.temp[2][LANE_Y], NO_WORTH);
	arena_free(&arena);
}

/* Checks which opcodes are p f + q of their sources. */
TEST(product_sums)
{
	static const struct {
		enum op op;
		struct product_sum as;
	} want[] = {
		{OP_ADD, {0, NO_TERM, 1, false}}, {OP_MAD, {0, 1, 2, false}},       {OP_MOV, {0, NO_TERM, NO_TERM, false}},
		{OP_MUL, {0, 1, NO_TERM, false}}, {OP_SUB, {0, NO_TERM, 1, true}},
	};
	unsigned n = 0;
	(void)state;
	for (enum op op = 0; op < OP_COUNT; op++) {
		struct product_sum as;
		if (!as_product_sum(op, &as))
			continue;
		assert_true(n < sizeof want / sizeof *want);
		assert_int_equal(op, want[n].op);
		assert_int_equal(as.p, want[n].as.p);
		assert_int_equal(as.f, want[n].as.f);
		assert_int_equal(as.q, want[n].as.q);
		assert_int_equal(as.minus, want[n].as.minus);
		n++;
	}
	assert_int_equal(n, sizeof want / sizeof *want);
}
