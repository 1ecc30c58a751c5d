/* Which divisors of an FP are 0, see zero_divisors.h.  requires: checked programs.
 *
 * Both programs run once modulo the prime 2^31 - 1, their inputs being some numbers: sums and products of numbers are
 * exact there, and every other function is a hash of what it reads.  What is 0 for all inputs is 0 here; what is not is
 * so with a chance of about 2^-31. */
#include "move/graph/zero_divisors.h"

#include "move/graph/evaluate.h"

#include <math.h>

typedef uint32_t residue;
#define PRIME UINT32_C(0x7fffffff)


struct machine {
	residue carried[MOST_TEX_OUTS][LANES]; /* what oT# got, and t# gives */
	bool *zero;                        /* of each instruction: it is an rcp that reads 0; NULL: nobody asks */
};

static residue reduce(uint64_t x)
{
	x = (x & PRIME) + (x >> 31);
	x = (x & PRIME) + (x >> 31);
	return (residue)(x >= PRIME ? x - PRIME : x);
}

static residue times(residue a, residue b)
{
	return reduce((uint64_t)a * b);
}

static residue plus(residue a, residue b)
{
	return reduce((uint64_t)a + b);
}

static residue opposite(residue a)
{
	return a ? PRIME - a : 0;
}

static residue inverse(residue a)
{
	residue all = 1;
	for (uint32_t exponent = PRIME - 2; exponent; exponent >>= 1, a = times(a, a))
		all = exponent & 1 ? times(all, a) : all;
	return all;
}

static residue hash(uint64_t a, uint64_t b)
{
	uint64_t x = (a ^ a >> 29) * UINT64_C(0xbf58476d1ce4e5b9) + (b ^ b >> 31) * UINT64_C(0xd6e8feb86659fd93) + 1;
	x = (x ^ x >> 32) * UINT64_C(0x94d049bb133111eb);
	return reduce(x >> 2);
}

static residue of_float(float value)
{
	int exponent;
	float part = frexpf(fabsf(value), &exponent);
	residue r = reduce((uint64_t)ldexpf(part, 24) << (exponent - 24 + 31 * 8) % 31);
	return value < 0 ? opposite(r) : r;
}

/* What the application, the vertices or the VP set.  Nobody's temporary is 0. */
static worth given(struct evaluation *e, enum reg_file file, int index, unsigned lane, worth by)
{
	const struct machine *m = e->self;
	if (file == REG_TEMP)
		return 0;
	if (file == REG_TEXCOORD)
		return m->carried[index][lane];
	uint64_t what = ((uint64_t)program_stage(e->program) << 8 | (uint64_t)file) << 16 | (uint64_t)(index + 1024) << 4 | lane;
	return hash(what, by);
}

static worth literal(struct evaluation *e, float number)
{
	(void)e;
	return of_float(number);
}

static worth minus(struct evaluation *e, worth x)
{
	(void)e;
	return opposite(x);
}

static worth sum(struct evaluation *e, worth x, worth y)
{
	(void)e;
	return plus(x, y);
}

static worth product(struct evaluation *e, worth x, worth y)
{
	(void)e;
	return times(x, y);
}

/* Of two numbers, in any order. */
static residue larger(residue a, residue b)
{
	return a == b ? a : hash(plus(a, b), times(a, b));
}

static residue not_below(residue a, residue b)
{
	return a == b ? 1 : hash(OP_SGE, plus(a, opposite(b)));
}

static worth function(struct evaluation *e, enum op op, const worth *x, unsigned n)
{
	const struct machine *m = e->self;
	const struct instr *i = instr_at_hand(e);
	if (op == OP_RCP) {
		if (m->zero)
			m->zero[e->at] |= x[0] == 0;
		return inverse(x[0]);
	}
	if (op == OP_MAX || op == OP_ABS)
		return larger(x[0], op == OP_MAX ? x[1] : opposite(x[0]));
	if (op == OP_MIN)
		return opposite(larger(opposite(x[0]), opposite(x[1])));
	if (op == OP_SGE || op == OP_SLT)
		return op == OP_SGE ? not_below(x[0], x[1]) : plus(1, opposite(not_below(x[0], x[1])));
	residue h = hash(op, function_lane(e, op));
	if (op != SATURATED && ops[op].flags & OPF_TEX)
		h = hash(h, (uint64_t)i->src[1].index);
	for (unsigned k = 0; k < n; k++)
		h = hash(h, x[k]);
	return h;
}

static worth result(struct evaluation *e, worth x)
{
	const struct instr *i = instr_at_hand(e);
	struct machine *m = e->self;
	if (i->dst.file == REG_TEX_OUT)
		m->carried[i->dst.index][e->lane] = x;
	return x;
}

static const struct domain residues = {given, literal, minus, sum, product, NULL, NULL, function, NULL, result};

void residue_divisors(struct arena *arena, const struct program *vs, const struct program *ps, bool *zero)
{
	struct machine m = {.zero = NULL};
	struct evaluation of_vs = {.domain = &residues, .self = &m, .program = vs}, of_ps = {.domain = &residues, .self = &m, .program = ps};
	for (unsigned t = 0; t < MOST_TEX_OUTS; t++)
		for (unsigned l = 0; l < LANES; l++)
			m.carried[t][l] = hash(t, l); /* what no VP writes */
	evaluate(arena, &of_vs, NULL);
	m.zero = zero;
	evaluate(arena, &of_ps, NULL);
}
