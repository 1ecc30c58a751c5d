/* Which divisors of an FP are 0, see zero_divisors.h.  requires: checked programs.
 *
 * Both programs run once modulo the prime 2^31 - 1, their inputs being some numbers: sums and products of numbers are
 * exact there, and every other function is a hash of what it reads.  What is 0 for all inputs is 0 here; what is not is
 * so with a chance of about 2^-31. */
#include "move/graph/zero_divisors.h"

#include "move/graph/flow.h"
#include "move/graph/values.h"

#include <math.h>
#include <string.h>

typedef uint32_t residue;
#define PRIME UINT32_C(0x7fffffff)

struct machine {
	const struct program *p;
	residue temp[FLOW_TEMPS][LANES];
	residue address[LANES];
	residue carried[TEXCOORDS][LANES]; /* what oT# got, and t# gives */
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

static residue minus(residue a)
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
	return value < 0 ? minus(r) : r;
}

/* Register lane (file, index, lane) of one stage, which the application or the vertices set. */
static residue given(const struct machine *m, enum reg_file file, int index, unsigned lane, residue at)
{
	uint64_t what = ((uint64_t)program_stage(m->p) << 8 | (uint64_t)file) << 16 | (uint64_t)(index + 1024) << 4 | lane;
	return hash(what, at);
}

static residue read_lane(const struct machine *m, const struct src *s, unsigned position, int row)
{
	unsigned lane = swizzle_lane(s->swizzle, position);
	int index = s->index + row;
	const struct decl *d = s->file == REG_CONST && !s->relative ? program_decl(m->p, REG_CONST, index) : NULL;
	residue r;
	if (d)
		r = of_float(d->value[lane]);
	else if (s->file == REG_TEMP && index < FLOW_TEMPS)
		r = m->temp[index][lane];
	else if (s->file == REG_TEXCOORD)
		r = m->carried[index][lane];
	else
		r = given(m, (enum reg_file)s->file, index, lane, s->relative ? m->address[s->relative - 1] : 0);
	return s->negate ? minus(r) : r;
}

static residue dot(const residue *a, const residue *b, unsigned n)
{
	residue sum = 0;
	for (unsigned k = 0; k < n; k++)
		sum = plus(sum, times(a[k], b[k]));
	return sum;
}

/* Of two numbers, in any order. */
static residue larger(residue a, residue b)
{
	return a == b ? a : hash(plus(a, b), times(a, b));
}

static residue function(const struct machine *m, const struct instr *i, residue arg[MAX_SOURCES][LANES], unsigned lane)
{
	bool by_lane = ops[i->op].shape == SHAPE_LANES || ops[i->op].shape == SHAPE_SCALAR;
	residue h = hash(i->op, by_lane ? 0 : lane);
	for (unsigned s = 0; s < ops[i->op].sources; s++) {
		lanes read = instr_operand_lanes(m->p, i, s, (lanes)(1u << lane));
		for (unsigned p = 0; p < LANES; p++)
			if (read >> p & 1)
				h = hash(h, arg[s][p]);
	}
	return h;
}

static residue result(const struct machine *m, const struct instr *i, residue arg[MAX_SOURCES][LANES], unsigned lane)
{
	residue x = arg[0][lane], y = arg[1][lane], z = arg[2][lane];
	switch (ops[i->op].shape) {
	case SHAPE_DP2ADD: return plus(dot(arg[0], arg[1], 2), arg[2][LANE_X]);
	case SHAPE_DP3: return dot(arg[0], arg[1], 3);
	case SHAPE_DP4: return dot(arg[0], arg[1], 4);
	case SHAPE_MATRIX: {
		residue row[LANES];
		for (unsigned k = 0; k < LANES; k++)
			row[k] = read_lane(m, &i->src[1], k, (int)lane);
		return dot(arg[0], row, i->op == OP_M4X4 || i->op == OP_M4X3 ? 4 : 3);
	}
	case SHAPE_CROSS: {
		unsigned b = (lane + 1) % 3, c = (lane + 2) % 3;
		return plus(times(arg[0][b], arg[1][c]), minus(times(arg[0][c], arg[1][b])));
	}
	case SHAPE_DST: return lane == LANE_X ? 1 : lane == LANE_Y ? times(x, y) : lane == LANE_Z ? x : y;
	case SHAPE_SCALAR:
		if (i->op == OP_RCP)
			return inverse(arg[0][LANE_X]);
		break;
	case SHAPE_LANES:
		if (i->op == OP_MOV)
			return x;
		if (i->op == OP_ADD || i->op == OP_SUB)
			return plus(x, i->op == OP_ADD ? y : minus(y));
		if (i->op == OP_MUL || i->op == OP_MAD)
			return plus(times(x, y), i->op == OP_MAD ? z : 0);
		if (i->op == OP_LRP)
			return plus(times(x, plus(y, minus(z))), z);
		if (i->op == OP_MAX || i->op == OP_ABS)
			return larger(x, i->op == OP_MAX ? y : minus(x));
		if (i->op == OP_MIN)
			return minus(larger(minus(x), minus(y)));
		if (i->op == OP_SGE || i->op == OP_SLT) {
			residue test = x == y ? 1 : hash(OP_SGE, plus(x, minus(y)));
			return i->op == OP_SGE ? test : plus(1, minus(test));
		}
		break;
	case SHAPE_SINCOS:
	case SHAPE_LIT:
	case SHAPE_NRM:
	case SHAPE_KILL:
	case SHAPE_TEX:
	case SHAPE_TEXW:
	case SHAPE_NONE:
	case SHAPE_EXPP:
	case SHAPE_LOGP:
	case SHAPE_SGN: break;
	}
	return function(m, i, arg, lane);
}

/* zero[k] is set where instruction k, an rcp, reads 0; NULL: nobody asks. */
static void run(struct machine *m, const struct program *p, bool *zero)
{
	m->p = p;
	for (uint32_t k = 0; k < p->instrs.n; k++) {
		const struct instr *i = &p->instrs.at[k];
		lanes written = instr_writes(i);
		residue arg[MAX_SOURCES][LANES] = {{0}}, to[LANES];
		for (unsigned s = 0; s < ops[i->op].sources; s++)
			for (unsigned l = 0; l < LANES; l++)
				arg[s][l] = read_lane(m, &i->src[s], l, 0);
		if (zero && i->op == OP_RCP)
			zero[k] |= arg[0][LANE_X] == 0;
		for (unsigned l = 0; l < LANES; l++) {
			to[l] = written >> l & 1 ? result(m, i, arg, l) : 0;
			if (i->flags & INSTR_SAT)
				to[l] = hash(INSTR_SAT, to[l]);
		}
		for (unsigned l = 0; l < LANES; l++) {
			if (!(written >> l & 1))
				continue;
			if (i->dst.file == REG_TEMP && i->dst.index < FLOW_TEMPS)
				m->temp[i->dst.index][l] = to[l];
			else if (i->dst.file == REG_ADDRESS)
				m->address[l] = hash(k, to[l]); /* no two writes of it are the same */
			else if (i->dst.file == REG_TEX_OUT)
				m->carried[i->dst.index][l] = to[l];
		}
	}
}

void residue_divisors(struct arena *arena, const struct program *vs, const struct program *ps, bool *zero)
{
	struct machine *m = arena_zero(arena, sizeof *m);
	for (unsigned t = 0; t < TEXCOORDS; t++)
		for (unsigned l = 0; l < LANES; l++)
			m->carried[t][l] = hash(t, l); /* what no VP writes */
	run(m, vs, NULL);
	run(m, ps, zero);
}
