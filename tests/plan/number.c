/* Numbers in a field, see number.h.  A function that is not algebraic becomes a hash of its arguments' points. */
#include "number.h"

#include <math.h>
#include <string.h>

#define PRIME UINT64_C(4294967291) /* products fit 64 bits */

static uint64_t add_mod(uint64_t a, uint64_t b)
{
	uint64_t s = a + b;
	return s >= PRIME ? s - PRIME : s;
}

static uint64_t neg_mod(uint64_t a)
{
	return a ? PRIME - a : 0;
}

static uint64_t mul_mod(uint64_t a, uint64_t b)
{
	return a * b % PRIME;
}

static uint64_t inverse(uint64_t a)
{
	uint64_t r = 1;
	for (uint64_t n = PRIME - 2; n; n >>= 1) {
		if (n & 1)
			r = mul_mod(r, a);
		a = mul_mod(a, a);
	}
	return r;
}

static uint64_t scramble(uint64_t x)
{
	x = (x + 1) * UINT64_C(0x9e3779b97f4a7c15);
	x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
	return (x ^ x >> 31) % PRIME;
}

static uint64_t some_function(uint64_t which, uint64_t x)
{
	return scramble(scramble(which + 77777) + x * 2 + 1);
}

/* ---- the table --------------------------------------------------------------------- */

static number put(struct numbers *t, const struct worth *w)
{
	for (unsigned k = 0; k < t->n; k++) {
		if (t->at[k].kind == w->kind && t->at[k].wild == w->wild && memcmp(t->at[k].e, w->e, sizeof w->e) == 0) {
			t->cancels |= w->app && !t->at[k].app;
			t->at[k].app &= w->app;
			if (w->known && !t->at[k].known) {
				t->at[k].known = true;
				t->at[k].app = false;
				t->at[k].literal = w->literal;
			}
			return (number)k;
		}
	}
	if (t->n == MOST_NUMBERS) {
		t->full = true;
		return PIXEL;
	}
	t->at[t->n] = *w;
	return (number)t->n++;
}

static number intern(struct numbers *t, struct worth w)
{
	bool varies = false, zero = true;
	for (unsigned a = 0; a < APPS; a++) {
		for (unsigned p = 0; p < POINTS; p++) {
			varies |= w.e[a][p] != w.e[a][0];
			zero &= w.e[a][p] == 0;
		}
	}
	if (!varies)
		w.kind = ANY_KIND;
	if (w.known && (!isfinite((float)w.literal) || (w.literal != 0 && fabsl(w.literal) < 1.2e-38L))) {
		w.known = false;
		w.wild = true;
	}
	if (zero && !w.wild) {
		w.app = false;
		w.known = true;
		w.literal = 0;
	}
	struct worth m = w;
	m.literal = -w.literal;
	for (unsigned a = 0; a < APPS; a++)
		for (unsigned p = 0; p < POINTS; p++)
			m.e[a][p] = neg_mod(w.e[a][p]);
	number k = put(t, &w), minus = put(t, &m);
	if (k != PIXEL && minus != PIXEL) {
		t->at[k].minus = minus;
		t->at[minus].minus = k;
	}
	return k;
}

/* ---- leaves ------------------------------------------------------------------------- */

number number_literal(struct numbers *t, float f)
{
	struct worth w = {.kind = ANY_KIND, .known = true, .literal = (long double)f};
	int exponent;
	double m = frexp(fabs((double)f), &exponent);
	uint64_t x = (uint64_t)ldexp(m, 24) % PRIME;
	uint64_t const half = inverse(2);
	for (exponent -= 24; exponent; exponent += exponent < 0 ? 1 : -1)
		x = mul_mod(x, exponent < 0 ? half : 2);
	for (unsigned a = 0; a < APPS; a++)
		for (unsigned p = 0; p < POINTS; p++)
			w.e[a][p] = f < 0 ? neg_mod(x) : x;
	return intern(t, w);
}

number number_constant(struct numbers *t, const struct program *ps, int reg, unsigned lane)
{
	const struct decl *d = program_decl(ps, REG_CONST, reg);
	if (d)
		return number_literal(t, d->value[lane]);
	struct worth w = {.kind = ANY_KIND, .app = true};
	for (unsigned a = 0; a < APPS; a++)
		for (unsigned p = 0; p < POINTS; p++)
			w.e[a][p] = scramble((uint64_t)(1000 + 4 * reg + (int)lane + 500 * (int)a));
	return intern(t, w);
}

number number_unknown(struct numbers *t, unsigned which)
{
	struct worth w = {.kind = VERTEX_KIND};
	for (unsigned a = 0; a < APPS; a++)
		for (unsigned p = 0; p < POINTS; p++)
			w.e[a][p] = scramble(1000000 + 3 * (uint64_t)which + p);
	return intern(t, w);
}

number number_of_kind(struct numbers *t, number n, uint8_t kind)
{
	if (number_is_constant(t, n))
		return n;
	struct worth w = t->at[n];
	w.kind = kind;
	return intern(t, w);
}

/* ---- arithmetic ------------------------------------------------------------------------ */

bool number_is_constant(const struct numbers *t, number n)
{
	return n != PIXEL && t->at[n].kind == ANY_KIND;
}

bool number_of_application(const struct numbers *t, number n)
{
	return t->at[n].app;
}

number number_minus(const struct numbers *t, number n)
{
	return n == PIXEL ? PIXEL : t->at[n].minus;
}

/* Returns the sum or product.  Values that are interpolated in different ways have no common interpolant, nor have products of two
 * interpolated values. */
static number combined(struct numbers *t, number x, number y, bool product)
{
	if (x == PIXEL || y == PIXEL)
		return PIXEL;
	const struct worth *a = &t->at[x], *b = &t->at[y];
	bool both = a->kind != ANY_KIND && b->kind != ANY_KIND;
	if (both && (a->kind != b->kind || (product && a->kind != VERTEX_KIND)))
		return PIXEL;
	struct worth w = {.kind = a->kind == ANY_KIND ? b->kind : a->kind, .wild = a->wild || b->wild,
	                  .app = a->app || b->app, .known = a->known && b->known};
	w.literal = product ? a->literal * b->literal : a->literal + b->literal;
	for (unsigned i = 0; i < APPS; i++)
		for (unsigned p = 0; p < POINTS; p++)
			w.e[i][p] = product ? mul_mod(a->e[i][p], b->e[i][p]) : add_mod(a->e[i][p], b->e[i][p]);
	return intern(t, w);
}

number number_sum(struct numbers *t, number a, number b)
{
	return combined(t, a, b, false);
}

number number_product(struct numbers *t, number a, number b)
{
	return combined(t, a, b, true);
}

/* Returns the maximum modulo the prime, whatever the order of the operands. */
static uint64_t max_mod(uint64_t a, uint64_t b)
{
	return some_function(OP_MAX, add_mod(scramble(a), scramble(b)));
}

static uint64_t point(enum op op, uint64_t a, uint64_t b, uint64_t c)
{
	switch ((int)op) {
	case OP_RCP: return inverse(a);
	case OP_MAX: return max_mod(a, b);
	case OP_MIN: return neg_mod(max_mod(neg_mod(a), neg_mod(b)));
	case OP_ABS: return max_mod(a, neg_mod(a));
	case OP_CMP: return add_mod(c, mul_mod(some_function(OP_CMP, a), add_mod(b, neg_mod(c))));
	case OP_POW: return some_function(OP_POW, add_mod(a, scramble(b)));
	default: return some_function(op, a); /* rsq, exp, log, frc; nop stands for saturation */
	}
}

static long double literal(enum op op, long double a, long double b, long double c)
{
	switch ((int)op) {
	case OP_RCP: return 1 / a;
	case OP_RSQ: return 1 / sqrtl(fabsl(a));
	case OP_EXP: return exp2l(a);
	case OP_LOG: return log2l(fabsl(a));
	case OP_FRC: return a - floorl(a);
	case OP_MAX: return a >= b ? a : b;
	case OP_MIN: return a < b ? a : b;
	case OP_ABS: return fabsl(a);
	case OP_CMP: return a >= 0 ? b : c;
	case OP_POW: return exp2l(b * log2l(fabsl(a))); /* the macro */
	default: return a < 0 ? 0 : a > 1 ? 1 : a;
	}
}

static unsigned operands(enum op op)
{
	return op == OP_NOP ? 1 : ops[op].sources;
}

number number_function(struct numbers *t, enum op op, number x, number y, number z)
{
	number const from[3] = {x, y, z};
	const struct worth *s[3] = {NULL};
	struct worth w = {.kind = ANY_KIND, .known = true};
	static const struct worth none = {.known = false};
	for (unsigned k = 0; k < 3; k++) {
		s[k] = &none;
		if (k >= operands(op))
			continue;
		if (!number_is_constant(t, from[k]))
			return PIXEL;
		s[k] = &t->at[from[k]];
		w.known &= s[k]->known;
		w.wild |= s[k]->wild;
		w.app |= s[k]->app;
	}
	w.literal = literal(op, s[0]->literal, s[1]->literal, s[2]->literal);
	for (unsigned a = 0; a < APPS; a++)
		for (unsigned p = 0; p < POINTS; p++)
			w.e[a][p] = point(op, s[0]->e[a][p], s[1]->e[a][p], s[2]->e[a][p]);
	return intern(t, w);
}

number number_saturated(struct numbers *t, number n)
{
	return number_function(t, OP_NOP, n, PIXEL, PIXEL);
}

bool number_relate(struct numbers *t, number value, number base, number *factor, number *offset)
{
	*factor = number_literal(t, 1);
	*offset = number_sum(t, value, number_minus(t, base));
	if (t->at[value].wild || t->at[base].wild)
		return value == base;
	if (number_is_constant(t, *offset))
		return true;
	if (number_is_constant(t, value) || t->at[base].kind != t->at[value].kind)
		return false;
	struct worth w = {.kind = ANY_KIND};
	for (unsigned a = 0; a < APPS; a++) {
		uint64_t dv = add_mod(t->at[value].e[a][0], neg_mod(t->at[value].e[a][1]));
		uint64_t db = add_mod(t->at[base].e[a][0], neg_mod(t->at[base].e[a][1]));
		if (!db)
			return false;
		uint64_t q = mul_mod(dv, inverse(db));
		for (unsigned p = 0; p < POINTS; p++)
			w.e[a][p] = q;
		w.app |= q != w.e[0][0];
	}
	*factor = intern(t, w);
	*offset = number_sum(t, value, number_minus(t, number_product(t, *factor, base)));
	return number_is_constant(t, *offset);
}

bool number_split(struct numbers *t, number value, number factor, number *base, number *step)
{
	struct worth const *n = &t->at[value], *f = &t->at[factor];
	struct worth slope = {.kind = n->kind}, rest = {.kind = n->kind};
	uint64_t const gap = add_mod(f->e[0][0], neg_mod(f->e[1][0]));
	if (n->wild || f->wild || !gap)
		return false;
	for (unsigned p = 0; p < POINTS; p++) {
		uint64_t const s = mul_mod(add_mod(n->e[0][p], neg_mod(n->e[1][p])), inverse(gap));
		uint64_t const r = add_mod(n->e[0][p], neg_mod(mul_mod(s, f->e[0][p])));
		for (unsigned a = 0; a < APPS; a++) {
			if (add_mod(r, mul_mod(s, f->e[a][p])) != n->e[a][p])
				return false;
			slope.e[a][p] = s;
			rest.e[a][p] = r;
		}
	}
	*step = intern(t, slope);
	*base = intern(t, rest);
	return !t->full;
}
