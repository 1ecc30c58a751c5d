/* Makes constant values: literals, constant registers and functions of constants, see values.h.  Computes the number of a function if the numbers of
 * all arguments are known. */
#include "move/graph/values_inside.h"

#include "lang/needs.h"
#include "lang/rounding.h"

#include <assert.h>
#include <string.h>

static value_id add_constant(struct values *v, struct value *x, enum const_op op, const value_id *args, unsigned n)
{
	x->class = VALUE_CONST;
	x->kind = KIND_ANY;
	x->op = (uint8_t)op;
	x->nargs = (uint8_t)n;
	x->constant = NO_VALUE;
	value_id known = value_find(v, x->print, VALUE_CONST, KIND_ANY);
	if (known != NO_VALUE)
		return known;
	x->infinite = op == CONST_RCP || op == CONST_RSQ || op == CONST_EXP || op == CONST_LOG || op == CONST_POW;
	for (unsigned k = 0; k < n; k++)
		x->infinite |= value_at(v, args[k])->infinite;
	if (n) {
		x->args = arena_alloc(v->arena, n * sizeof *args);
		memcpy(x->args, args, n * sizeof *args);
	}
	return value_add(v, x);
}

/* Marks the value as wild, so that it is never moved, and changes its fingerprint, so that it equals no value that is not wild.  Without that, 1 / 0
 * would equal 0, as it does in the prime fields of fingerprints. */
static void make_wild(struct value *x, enum const_op op)
{
	x->known = false;
	x->wild = true;
	x->number = 0;
	x->scale = 1;
	x->print = fingerprint_hash(KEY_WILD + (uint64_t)op, x->print);
}

value_id value_of_literal(struct values *v, float number)
{
	uint32_t bits;
	memcpy(&bits, &number, sizeof bits);
	struct cached_literal *cached = &v->table->literal[(bits * UINT32_C(0x9e3779b1)) >> 26];
	if (!cached->id || cached->bits != bits) {
		struct value x = {.known = true, .number = (long double)number, .rounded = number, .print = fingerprint_of_number(number)};
		x.rounds = (v->careful && fabsf(number) >= (float)FAR_APART) || !number_is_normal(x.number);
		*cached = (struct cached_literal){bits, 1 + add_constant(v, &x, CONST_LITERAL, NULL, 0)};
	}
	return cached->id - 1;
}
static_assert(CACHED_LITERALS == 1 << 6, "six bits of the product are the place");

value_id value_of_constant(struct values *v, int reg, unsigned lane)
{
	return value_of_raw(v, reg + (int)v->program * PROGRAM_CONSTS, lane);
}

value_id value_of_raw(struct values *v, int reg, unsigned lane)
{
	bool const own = reg >= values_own(v);
	const struct program *ps = own || !v->numbering ? NULL : v->numbering[reg / PROGRAM_CONSTS].ps;
	bool const withheld = ps && register_is_in(&ps->withheld, reg % PROGRAM_CONSTS);
	struct value x = {.app = !own, .withheld = withheld, .sent = own, .beyond = !own && reg % PROGRAM_CONSTS >= NEEDS_CONSTS, .scale = 1,
	                  .reg = reg, .lane = (uint8_t)lane, .print = fingerprint_hash(KEY_RAW + (uint64_t)reg * 4 + lane, (struct fingerprint){0, 0})};
	return add_constant(v, &x, CONST_RAW, NULL, 0);
}

static long double compute_number(enum const_op op, const long double *a, unsigned n)
{
	long double sum = 0;
	switch (op) {
	case CONST_LITERAL:
	case CONST_RAW:
	case CONST_COS:
	case CONST_SIN: break;
	case CONST_ADD: return a[0] + a[1];
	case CONST_MUL: return a[0] * a[1];
	case CONST_MAD: return a[0] * a[1] + a[2];
	case CONST_NEG: return -a[0];
	case CONST_DP3:
	case CONST_DP4:
		for (unsigned i = 0; i < n; i += 2)
			sum += a[i] * a[i + 1];
		return sum;
	case CONST_RCP: return 1 / a[0];
	case CONST_RSQ: return 1 / sqrtl(fabsl(a[0]));
	case CONST_EXP: return exp2l(a[0]);
	case CONST_LOG: return log2l(fabsl(a[0]));
	case CONST_FRC: return a[0] - floorl(a[0]);
	case CONST_MAX: return a[0] >= a[1] ? a[0] : a[1];
	case CONST_MIN: return a[0] < a[1] ? a[0] : a[1];
	case CONST_ABS: return fabsl(a[0]);
	case CONST_CMP: return a[0] >= 0 ? a[1] : a[2];
	case CONST_POW: return exp2l(a[1] * log2l(fabsl(a[0]))); /* as the pow macro does: 0^0 is NaN */
	case CONST_SAT: return fminl(fmaxl(a[0], 0), 1);
	}
	return (long double)NAN;
}

/* Returns the result of a function in float arithmetic, which rounds products before it adds them up. */
static float compute_float(enum const_op op, const long double *a, unsigned n)
{
	float sum = op == CONST_MAD ? (float)a[2] : 0;
	if (op != CONST_MAD && op != CONST_DP3 && op != CONST_DP4)
		return (float)compute_number(op, a, n);
	for (unsigned i = 0; i + 1 < n; i += 2)
		sum += (float)(a[i] * a[i + 1]);
	return sum;
}

static struct fingerprint fingerprint_of_function(const struct values *v, enum const_op op, const value_id *args, unsigned n)
{
	struct fingerprint f[8] = {{0, 0}};
	for (unsigned i = 0; i < n; i++)
		f[i] = value_at(v, args[i])->print;
	struct fingerprint const one = {1, 1};
	switch (op) {
	case CONST_LITERAL:
	case CONST_RAW:
	case CONST_COS:
	case CONST_SIN: break;
	case CONST_ADD: return fingerprint_sum(f[0], f[1]);
	case CONST_MUL: return fingerprint_times(f[0], f[1]);
	case CONST_MAD: return fingerprint_sum(fingerprint_times(f[0], f[1]), f[2]);
	case CONST_NEG: return fingerprint_negated(f[0]);
	case CONST_DP3:
	case CONST_DP4: {
		struct fingerprint sum = {0, 0};
		for (unsigned i = 0; i < n; i += 2)
			sum = fingerprint_sum(sum, fingerprint_times(f[i], f[i + 1]));
		return sum;
	}
	case CONST_RCP: return fingerprint_inverse(f[0]);
	/* The functions below are not algebraic, so any function of the arguments' fingerprints will do.  max must not depend on their order;
	 * min and abs are computed from max, as in the proof. */
	case CONST_MAX: return fingerprint_hash(KEY_OP + CONST_MAX, fingerprint_sum(fingerprint_hash(1, f[0]), fingerprint_hash(1, f[1])));
	case CONST_MIN:
		return fingerprint_negated(fingerprint_hash(KEY_OP + CONST_MAX, fingerprint_sum(fingerprint_hash(1, fingerprint_negated(f[0])),
		                                                           fingerprint_hash(1, fingerprint_negated(f[1])))));
	case CONST_ABS:
		return fingerprint_hash(KEY_OP + CONST_MAX, fingerprint_sum(fingerprint_hash(1, f[0]), fingerprint_hash(1, fingerprint_negated(f[0]))));
	case CONST_CMP:
		return fingerprint_sum(f[2], fingerprint_times(fingerprint_hash(KEY_OP + CONST_CMP, f[0]), fingerprint_sum(f[1], fingerprint_negated(f[2]))));
	case CONST_SAT:
		return fingerprint_hash(KEY_OP + CONST_SAT, fingerprint_sum(f[0], one));
	case CONST_RSQ:
	case CONST_EXP:
	case CONST_LOG:
	case CONST_FRC: return fingerprint_hash(KEY_OP + (uint64_t)op, f[0]);
	case CONST_POW: return fingerprint_hash(KEY_OP + CONST_POW, fingerprint_sum(f[0], fingerprint_hash(2, f[1])));
	}
	return one;
}

static bool is_literal_number(const struct values *v, value_id id, long double number)
{
	const struct value *x = value_at(v, id);
	return x->known && x->op == CONST_LITERAL && x->number >= number && x->number <= number;
}

/* Returns the result of x + 0, x * 0, x * 1, -(-x), or x^0 for an x whose number is not known.  Returns NO_VALUE for any other function. */
static value_id without_operation(const struct values *v, enum const_op op, const value_id *args)
{
	if (op == CONST_NEG)
		return value_at(v, args[0])->op == CONST_NEG ? value_at(v, args[0])->args[0] : NO_VALUE;
	if (op == CONST_POW && is_literal_number(v, args[1], 0) && !value_at(v, args[0])->known) /* a known x may be 0, and 0^0 is NaN */
		return v->one;
	if (op != CONST_ADD && op != CONST_MUL)
		return NO_VALUE;
	long double neutral = op == CONST_ADD ? 0 : 1;
	for (unsigned i = 0; i < 2; i++) {
		if (is_literal_number(v, args[i], neutral))
			return args[1 - i];
		if (op == CONST_MUL && is_literal_number(v, args[i], 0))
			return v->zero;
	}
	return NO_VALUE;
}

/* Stores the assumed size of each summand in `added` if the function is a sum.  Returns the number of summands, or 0 if it is no sum. */
static unsigned summands(const struct values *v, enum const_op op, const value_id *args, unsigned n, struct size added[LANES])
{
	unsigned k = 0;
	if (op != CONST_ADD && op != CONST_MAD && op != CONST_DP3 && op != CONST_DP4)
		return 0;
	for (unsigned i = 0; i < n; i++) {
		bool const product = op != CONST_ADD && i + 1 < n;
		added[k++] = product ? sizes_multiplied(size_of(v, args[i]), size_of(v, args[i + 1])) : size_of(v, args[i]);
		i += product;
	}
	return k;
}

/* Sets the assumed size of a function of constants whose number is not known. */
static void find_size(const struct values *v, enum const_op op, const value_id *args, unsigned n, struct value *x)
{
	struct size added[LANES], all = {0, 1};
	unsigned const sums = summands(v, op, args, n, added);
	if (sums > 0)
		all = added[0];
	for (unsigned k = 1; k < sums; k++)
		all = sizes_added(all, added[k]);
	if (op == CONST_MUL)
		all = sizes_multiplied(size_of(v, args[0]), size_of(v, args[1]));
	if (op == CONST_NEG) {
		all = size_of(v, args[0]);
		all.offset = -all.offset;
	}
	x->offset = all.offset;
	x->scale = all.scale;
}

/* Returns true if the number has this fingerprint, so that float arithmetic computed it without rounding. */
static bool stands_for(struct fingerprint print, float number)
{
	struct fingerprint const exact = fingerprint_of_number(number);
	return exact.a == print.a && exact.b == print.b;
}

/* Returns true if the function is frc of a rounded number so near an integer that the exact number may be on its other side, where frc differs by
 * 1. */
static bool is_on_jump(const struct values *v, enum const_op op, const value_id *args)
{
	const struct value *of = value_at(v, args[0]);
	return op == CONST_FRC && !stands_for(of->print, of->rounded) &&
	       fabsl(of->number - roundl(of->number)) <= (long double)FAR_OFF * fabsl(of->number);
}

/* Returns true if the result is exact: the function is frc, max, min, abs, cmp or sat of exact numbers, and frc loses no digit. */
static bool is_exact(const struct values *v, enum const_op op, const value_id *args, unsigned n, const struct value *x)
{
	bool exact = op == CONST_FRC || op == CONST_MAX || op == CONST_MIN || op == CONST_ABS || op == CONST_CMP || op == CONST_SAT;
	for (unsigned i = 0; i < n && exact; i++)
		exact = stands_for(value_at(v, args[i])->print, value_at(v, args[i])->rounded);
	if (op != CONST_FRC || !exact)
		return exact;
	/* The fraction of a small negative number is so near 1 that a float may not hold it. */
	float const whole = floorf(value_at(v, args[0])->rounded);
	return stands_for(fingerprint_sum(value_at(v, args[0])->print, fingerprint_of_number(-whole)), x->rounded);
}

/* Returns true for functions that each GPU computes in its own way, so that the last digits of the result are not known. */
static bool is_approximate(enum const_op op)
{
	return op == CONST_EXP || op == CONST_LOG || op == CONST_POW || op == CONST_RSQ;
}

/* Returns true if the result in float arithmetic may be so far from the result in real arithmetic that the value must not move.  Sets values.rounds
 * if rounding alone makes it so. */
static bool is_inexact(struct values *v, enum const_op op, const value_id *args, unsigned n, const struct value *x)
{
	struct size added[LANES];
	if (x->known) {
		long double const off = fabsl(x->number - (long double)x->rounded);
		bool const far = off > (long double)FAR_OFF * fabsl(x->number);
		bool const is_sum = op == CONST_ADD || op == CONST_MAD || op == CONST_DP3 || op == CONST_DP4;
		v->rounds |= far;
		/* In a program with a sum that float arithmetic rounds, the digits lost here may be all that is left of that sum. */
		return far || (v->careful && (is_approximate(op) || (is_sum && off > 0))) || is_on_jump(v, op, args);
	}
	/* If summands cancel, an equal value that is known already has the right size. */
	value_id const equal = value_find(v, x->print, VALUE_CONST, KIND_ANY);
	struct size const left = equal != NO_VALUE ? size_of(v, equal) : (struct size){x->offset, x->scale};
	unsigned const sums = summands(v, op, args, n, added);
	return sums > 0 && size_is_rounded(v, added, sums, left);
}

value_id value_make(struct values *v, enum const_op op, const value_id *args, unsigned n)
{
	bool wild = false, rounds = false;
	for (unsigned i = 0; i < n; i++) {
		const struct value *arg = value_at(v, args[i]);
		/* Negation is a modifier of operands, and exact; all other functions of a subnormal number depend on the GPU. */
		wild |= arg->wild || (op != CONST_NEG && arg->known && !number_is_normal(arg->number));
		rounds |= arg->rounds;
	}
	value_id simple = wild ? NO_VALUE : without_operation(v, op, args);
	if (simple != NO_VALUE)
		return simple;
	struct value x = {.known = true, .rounds = rounds, .print = fingerprint_of_function(v, op, args, n)};
	long double numbers[8] = {0}, rounded[8] = {0};
	for (unsigned i = 0; i < n; i++) {
		const struct value *arg = value_at(v, args[i]);
		x.known &= arg->known;
		x.app |= arg->app;
		x.withheld |= arg->withheld;
		x.sent |= arg->sent;
		x.beyond |= arg->beyond;
		numbers[i] = arg->number;
		rounded[i] = (long double)arg->rounded;
	}
	if (x.known) {
		x.number = compute_number(op, numbers, n);
		x.rounded = compute_float(op, rounded, n);
		/* A number that no normal float holds stays in the FP, because each GPU treats infinities and subnormals in its own way. */
		wild |= op != CONST_NEG && !number_is_normal(x.number);
	} else {
		find_size(v, op, args, n, &x);
		wild |= size_is_extreme((struct size){x.offset, x.scale});
	}
	if (!wild && is_inexact(v, op, args, n, &x))
		wild = x.rounds = true;
	if (x.known && !wild && is_exact(v, op, args, n, &x))
		return value_of_literal(v, x.rounded);
	if ((x.app || x.sent) && !wild) { /* constants that the application sets may cancel, so that only a known number is left */
		value_id minus = value_find(v, fingerprint_negated(x.print), VALUE_CONST, KIND_ANY);
		if (minus != NO_VALUE && value_at(v, minus)->known)
			return value_function(v, CONST_NEG, minus, NO_VALUE, NO_VALUE);
	}
	if (wild)
		make_wild(&x, op);
	return add_constant(v, &x, op, args, n);
}

value_id value_function(struct values *v, enum const_op op, value_id a, value_id b, value_id c)
{
	value_id const args[3] = {a, b, c};
	return value_make(v, op, args, c != NO_VALUE ? 3 : b != NO_VALUE ? 2 : 1);
}

value_id value_of_sincos(struct values *v, value_id angle, unsigned lane, const struct decl *first, const struct decl *second)
{
	struct value y = *value_at(v, angle);
	y.minus = 0;
	y.offset = 0;
	y.scale = 1;
	y.number = lane == LANE_X ? cosl(y.number) : sinl(y.number);
	y.rounded = (float)y.number;
	y.reg = first->reg.index;
	y.lane = (uint8_t)second->reg.index;
	for (unsigned s = 0; s < 2; s++)
		for (unsigned l = 0; l < LANES; l++)
			y.print = fingerprint_hash(KEY_OP + CONST_COS + lane,
			                     fingerprint_sum(y.print, fingerprint_of_number((s ? second : first)->value[l])));
	return add_constant(v, &y, lane == LANE_X ? CONST_COS : CONST_SIN, &angle, 1);
}

struct values *values_new(struct arena *arena, const struct program *p, bool careful)
{
	struct values *v = arena_zero(arena, sizeof *v);
	v->arena = arena;
	v->ps = p;
	v->careful = careful;
	v->table = arena_zero(arena, sizeof *v->table);
	value_grow_table(v);
	v->zero = value_of_literal(v, 0.0f);
	v->one = value_of_literal(v, 1.0f);
	v->unknown = value_new_pixel(v);
	return v;
}
