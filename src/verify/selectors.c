/* Computes max, min and comparisons of elements of the proof's fields.
 *
 * Where exact numbers, bounds of functions (sat x, frc x, |x| ...) or conditions (choice.h) tell which operand is
 * selected, the result is that operand.  Otherwise it is a hash of the operands in a normal form:
 *   max is the maximum of a set, which has each operand once, and no operand that is never above another;
 *   min(a, b) = -max(-a, -b);      max(min(x, h), l) = min(max(x, l), h) for numbers l <= h, and 1 - sat(1 - x) = sat x */
#include "verify/choice.h"
#include "verify/elements.h"

#include <string.h>

enum { MOST_OPERANDS = 8 };

/* The set of operands of a maximum; for an element that is no maximum, the set of this element alone. */
struct operands {
	uint32_t n;
	felt at[2 * MOST_OPERANDS];
};

static struct operands operands_of(struct known *k, unsigned column, felt x)
{
	struct operands o;
	const struct fact *f = known_fact(k, column, x);
	o.n = 1;
	o.at[0] = x;
	if (f && f->n && f->n <= MOST_OPERANDS) {
		o.n = f->n;
		memcpy(o.at, f->of, f->n * sizeof *f->of);
	}
	return o;
}

static void remove_operand(struct operands *o, uint32_t at)
{
	o->at[at] = o->at[--o->n];
}

/* Adds x to the operands of a maximum, unless it is known not to be above one of them.  Removes the operands that are known not to be above
 * x. */
static void add_max_operand(struct known *k, unsigned column, struct operands *o, felt x)
{
	for (uint32_t i = o->n; i-- > 0;) {
		enum known_order order = known_order(k, column, x, o->at[i]);
		if (order == KNOWN_SAME || order == KNOWN_BELOW || order == KNOWN_NOT_ABOVE)
			return;
		if (order == KNOWN_ABOVE || order == KNOWN_NOT_BELOW)
			remove_operand(o, i);
	}
	o->at[o->n++] = x;
}

static void sort_operands(struct operands *o)
{
	for (uint32_t i = 1; i < o->n; i++)
		for (uint32_t k = i; k > 0 && o->at[k - 1] > o->at[k]; k--) {
			felt other = o->at[k];
			o->at[k] = o->at[k - 1];
			o->at[k - 1] = other;
		}
}

/* Returns true if the operands of a maximum include some x and -x, so that the maximum is not below 0. */
static bool has_magnitude(unsigned column, const struct operands *o)
{
	for (uint32_t i = 0; i < o->n; i++)
		for (uint32_t k = 0; k < i; k++)
			if (o->at[i] == field_neg(column, o->at[k]))
				return true;
	return false;
}

/* Returns the bounds of a maximum: the greatest of its operands' lower bounds, which counts 0 as one if the operands include some x and -x, and
 * the greatest of their upper bounds if all have one. */
static struct bounds bounds_of(struct known *k, unsigned column, const struct operands *o)
{
	struct bounds all = {.has_low = has_magnitude(column, o), .has_high = true, .low = known_zero}, one;
	int sign;
	for (uint32_t i = 0; i < o->n; i++) {
		known_bounds(k, column, o->at[i], &one);
		if (one.has_low && (!all.has_low || (rational_order(&one.low, &all.low, &sign) && sign > 0))) {
			all.has_low = true;
			all.low = one.low;
		}
		sign = 1;
		all.has_high = all.has_high && one.has_high && (i == 0 || rational_order(&one.high, &all.high, &sign));
		if (all.has_high && sign > 0)
			all.high = one.high;
	}
	return all;
}

static void note_bounds(struct known *k, unsigned column, felt x, const struct bounds *b)
{
	struct fact *f = known_make(k, column, x);
	if (b->has_low && !f->low)
		f->low = known_keep(k, &b->low);
	if (b->has_high && !f->high)
		f->high = known_keep(k, &b->high);
}

static felt hash_maximum(const struct field_run *m, unsigned column, struct operands *o)
{
	sort_operands(o);
	uint64_t state = keyed(m->key, TAG_MAX, o->n);
	for (uint32_t i = 0; i < o->n; i++)
		state = field_mix(state, o->at[i]);
	return field_hash(column, state);
}

/* Looks for a maximum, computed before, of these operands times 2^n, from 1/8 to 8, and sets `*x` to its result divided by 2^n.  Tests
 * first whether the last operand times 2^n is noted as `asked`, as all operands of maxima are, which saves most hashes. */
static bool find_scaled_maximum(const struct field_run *m, unsigned column, const struct operands *o, felt *x)
{
	enum { MOST_DOUBLINGS = 3 };
	felt const half = field_float(column, 0.5f), last = o->at[o->n - 1]; /* the last is not 0, since hash_maximum() has sorted them */
	felt more = field_one(column), less = more;
	for (unsigned k = 0; k < 2 * MOST_DOUBLINGS; k++) {
		more = k % 2 ? more : field_add(column, more, more);
		less = k % 2 ? less : field_mul(column, less, half);
		felt const by = k % 2 ? less : more, back = k % 2 ? more : less;
		const struct fact *asked = known_fact(m->known, column, field_mul(column, last, by));
		struct operands scaled;
		if (!asked || !asked->asked)
			continue;
		scaled.n = o->n;
		for (uint32_t i = 0; i < o->n; i++)
			scaled.at[i] = field_mul(column, o->at[i], by);
		felt const made = hash_maximum(m, column, &scaled);
		if (known_fact(m->known, column, made)) {
			*x = field_mul(column, made, back);
			return known_fact(m->known, column, *x);
		}
	}
	return false;
}

static felt maximum_of(struct field_run *m, unsigned column, struct operands *o)
{
	if (o->n == 1)
		return o->at[0];
	felt x = hash_maximum(m, column, o);
	if (known_fact(m->known, column, x) || find_scaled_maximum(m, column, o, &x))
		return x;
	struct bounds const bounds = bounds_of(m->known, column, o);
	note_bounds(m->known, column, x, &bounds);
	felt *of = arena_alloc(m->known->arena, o->n * sizeof *of);
	memcpy(of, o->at, o->n * sizeof *of);
	struct fact *f = known_make(m->known, column, x);
	f->of = of;
	f->n = o->n;
	return x;
}

/* Returns min(max(x, low), high) for numbers low <= high.  Relative to the middle of low and high, the clamp is an odd function.  So hashes
 * the smaller of the elements x - middle and middle - x, and negates the result for the latter; then 1 - sat(1 - x) is sat x. */
static felt clamp_between(struct field_run *m, unsigned column, felt x, felt low, felt high)
{
	felt const half = field_float(column, 0.5f), middle = field_mul(column, field_add(column, low, high), half);
	felt const from = field_sub(column, x, middle), back = field_neg(column, from), width = field_sub(column, high, low);
	felt const step = field_hash(column, field_mix(keyed(m->key, TAG_CLAMP, from < back ? from : back), width));
	felt const y = field_add(column, middle, from < back ? step : field_neg(column, step));
	struct bounds b = {.has_low = true, .has_high = true};
	if (width == field_one(column) && (low == 0 || high == 0))
		known_share(m->known, column, field_sub(column, y, low));
	else if (known_exact(m->known, column, low, &b.low) && known_exact(m->known, column, high, &b.high))
		note_bounds(m->known, column, y, &b);
	return y;
}

/* Sets `*to` to max(x, low), computed by clamp_between(), if x is min(y, high) with numbers low <= high.  Returns false if it is not. */
static bool clamp_of_min(struct field_run *m, unsigned column, felt x, felt low, felt *to)
{
	struct known *k = m->known;
	struct rational number[2];
	int sign;
	felt const minus = field_neg(column, x);
	const struct fact *f = known_fact(k, column, minus);
	if (!f || f->n < 2 || !known_exact(k, column, low, &number[0]))
		return false;
	struct operands o = operands_of(k, column, minus);
	for (uint32_t i = 0; i < o.n; i++) {
		felt high = field_neg(column, o.at[i]);
		if (!known_exact(k, column, high, &number[1]) || !rational_order(&number[0], &number[1], &sign) || sign > 0)
			continue;
		remove_operand(&o, i);
		*to = clamp_between(m, column, field_neg(column, maximum_of(m, column, &o)), low, high);
		return true;
	}
	return false;
}

static void note_magnitude(struct known *k, unsigned column, felt x)
{
	struct fact *f = known_make(k, column, x);
	if (!f->low || rational_sign(f->low) < 0)
		f->low = &known_zero;
}

felt select_max(struct field_run *m, unsigned column, felt a, felt b)
{
	felt x;
	switch (known_order(m->known, column, a, b)) {
	case KNOWN_SAME:
	case KNOWN_ABOVE:
	case KNOWN_NOT_BELOW: return a;
	case KNOWN_BELOW:
	case KNOWN_NOT_ABOVE: return b;
	case KNOWN_NOTHING: break;
	}
	if (choice_function(m, column, a, b, number_maximum, &x) || clamp_of_min(m, column, a, b, &x) || clamp_of_min(m, column, b, a, &x))
		return x;
	struct operands all = operands_of(m->known, column, a), more = operands_of(m->known, column, b);
	if (all.n == 1 && more.n == 1) { /* neither is a maximum, and known_order() found above that their order is unknown */
		all.at[all.n++] = b;
		more.n = 0;
	}
	for (uint32_t i = 0; i < more.n; i++)
		add_max_operand(m->known, column, &all, more.at[i]);
	x = maximum_of(m, column, &all);
	if (a == field_neg(column, b)) /* has_magnitude() does not find this if a or b is a maximum, since the set has its operands instead */
		note_magnitude(m->known, column, x);
	return x;
}

felt select_min(struct field_run *m, unsigned column, felt a, felt b)
{
	return field_neg(column, select_max(m, column, field_neg(column, a), field_neg(column, b)));
}

felt select_not_below(struct field_run *m, unsigned column, felt a, felt b)
{
	switch (known_order(m->known, column, a, b)) {
	case KNOWN_SAME:
	case KNOWN_ABOVE:
	case KNOWN_NOT_BELOW: return field_one(column);
	case KNOWN_BELOW: return 0;
	case KNOWN_NOT_ABOVE:
	case KNOWN_NOTHING: break;
	}
	felt x;
	return choice_function(m, column, a, b, number_not_below, &x) ? x : choice_step(m, column, field_sub(column, a, b));
}
