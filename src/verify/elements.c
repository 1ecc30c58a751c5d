/* The arithmetic of instructions, see elements.h. */
#include "verify/elements.h"

#include "verify/choice.h"

/* Returns 1 if the element is known to be positive or a square: a positive number, a result of rsq or exp, or a sum of products of these
 * and squares.  Returns -1 if that is known of its negative, and 0 if neither is known. */
static int square_sign(struct field_run *m, unsigned c, felt x)
{
	const struct fact *of[2];
	if (!known_facts(m->known, c, x, of))
		return 0;
	for (unsigned minus = 0; minus < 2; minus++) {
		const struct fact *f = of[minus];
		int const sign = !f ? 0 : f->square || f->low == &known_zero ? 1 : f->low && f->low == f->high ? rational_sign(f->low) : 0;
		if (sign)
			return minus ? -sign : sign;
	}
	return 0;
}

/* Returns true if sums and products of squares are to be noted as squares.  False in the new pair's run: if only the new pair writes a value as a
 * square, the old pair's run has already made another element for its magnitude. */
static bool knows_squares(const struct field_run *m)
{
	return m->known->squares && !m->follows;
}

static void note_square(struct field_run *m, unsigned c, felt x, int sign)
{
	if (m->follows || !sign)
		return;
	struct fact *f = known_make(m->known, c, sign > 0 ? x : field_neg(c, x));
	m->known->squares = true;
	m->known->late |= f->magnitude && !f->square;
	f->square = true;
}

felt element_add(struct field_run *m, unsigned c, felt a, felt b)
{
	struct rational x, y, sum;
	felt result = field_add(c, a, b);
	if (m->scales && a == b)
		known_multiple(m->known, c, result, a);
	if (m->literal && known_exact(m->known, c, a, &x) && known_exact(m->known, c, b, &y) && rational_sum(&sum, &x, &y))
		known_number(m->known, c, result, &sum);
	else if (m->known->choices)
		choice_note_sum(m, c, a, b, result);
	if (knows_squares(m)) {
		int const sign = square_sign(m, c, a);
		if (sign && sign == square_sign(m, c, b))
			note_square(m, c, result, sign);
	}
	return result;
}

felt element_sub(struct field_run *m, unsigned c, felt a, felt b)
{
	return element_add(m, c, a, field_neg(c, b));
}

/* Notes that a product of a known number and an element is a multiple of that element.  This helps a texkill, which only tests the sign,
 * and a root, which takes the number out. */
static void note_multiple(struct field_run *m, unsigned c, felt a, felt b, felt product)
{
	struct rational number;
	bool const first = known_exact(m->known, c, a, &number);
	if (!first && !known_exact(m->known, c, b, &number))
		return;
	felt const of = first ? b : a;
	if (rational_sign(&number))
		known_multiple(m->known, c, product, rational_sign(&number) > 0 ? of : field_neg(c, of));
}

felt element_mul(struct field_run *m, unsigned c, felt a, felt b)
{
	struct rational x, y, product;
	felt result = field_mul(c, a, b);
	if (m->kill || m->scales)
		note_multiple(m, c, a, b, result);
	if (m->literal && known_exact(m->known, c, a, &x) && known_exact(m->known, c, b, &y) && rational_product(&product, &x, &y))
		known_number(m->known, c, result, &product);
	else if (m->known->choices)
		result = choice_product(m, c, a, b);
	if (a == b || a == field_neg(c, b))
		note_square(m, c, result, a == b ? 1 : -1);
	else if (knows_squares(m)) {
		int const sign = square_sign(m, c, a);
		if (sign)
			note_square(m, c, result, sign * square_sign(m, c, b));
	}
	return result;
}

felt element_mad(struct field_run *m, unsigned c, felt a, felt b, felt d)
{
	return element_add(m, c, element_mul(m, c, a, b), d);
}

void element_note_scale(struct field_run *m, unsigned c, const felt vector[3], felt sum)
{
	felt of[3], base = 0;
	for (unsigned l = 0; l < 3; l++) {
		const struct fact *f = known_fact(m->known, c, vector[l]);
		of[l] = f ? f->multiple_of : 0;
		if (m->follows || !of[l] || field_mul(c, vector[l], of[0]) != field_mul(c, vector[0], of[l]))
			return;
	}
	for (unsigned l = 0; l < 3; l++)
		base = element_mad(m, c, of[l], of[l], base);
	felt both[FIELDS] = {field_one(0), field_one(1)};
	both[c % FIELDS] = vector[0];
	field_inverse(both, both);
	struct fact *f = known_make(m->known, c, sum);
	if (!base || f->multiple_of)
		return;
	f->multiple_of = base;
	f->inverse_root = field_mul(c, of[0], both[c % FIELDS]);
	element_note_scale(m, c, of, base);
}

felt element_choose(struct field_run *m, unsigned c, felt share, felt a, felt b)
{
	bool const literal = m->literal;
	m->literal = true;
	felt const difference = element_sub(m, c, a, b);
	m->literal = literal;
	return element_mad(m, c, share, difference, b);
}

felt element_magnitude(struct field_run *m, unsigned c, felt x)
{
	return select_max(m, c, x, field_neg(c, x));
}

/* Not for rsq and log, which use element_magnitude() also for squares. */
felt element_absolute(struct field_run *m, unsigned c, felt x)
{
	felt const minus = field_neg(c, x);
	int const sign = square_sign(m, c, x);
	if (sign)
		return sign > 0 ? x : minus;
	known_make(m->known, c, x)->magnitude = true;
	known_make(m->known, c, minus)->magnitude = true;
	return element_magnitude(m, c, x);
}

felt element_greater(struct field_run *m, unsigned c, felt x, felt y)
{
	return x == field_neg(c, y) ? element_absolute(m, c, x) : select_max(m, c, x, y);
}

felt element_saturate(struct field_run *m, unsigned c, felt x)
{
	return select_min(m, c, select_max(m, c, x, 0), field_one(c));
}

felt element_anything(struct field_run *m, unsigned c, uint64_t state)
{
	struct rational number;
	if (!m->small)
		return field_hash(c, state);
	uint64_t const random = field_mix(state, 0);
	float const value = (float)(17 + (random >> 49 & 0x3fff)) / (random >> 63 ? -16 : 16);
	felt const x = field_float(c, value);
	if (rational_float(&number, value))
		known_number(m->known, c, x, &number);
	return x;
}

felt element_function(struct field_run *m, unsigned c, enum field_tag tag, uint64_t value)
{
	return element_anything(m, c, keyed(m->key, tag, value));
}

felt element_unknown(struct field_run *m, unsigned c, enum field_tag tag, unsigned a, unsigned b, unsigned lane)
{
	return element_function(m, c, tag, (uint64_t)a << 32 | (uint64_t)b << 16 | lane);
}

felt element_positive(struct field_run *m, unsigned c, felt x)
{
	struct fact *f = known_make(m->known, c, x);
	f->low = f->low ? f->low : &known_zero;
	m->known->squares = true;
	return x;
}

felt element_exp(struct field_run *m, unsigned c, felt x)
{
	return x ? element_positive(m, c, element_function(m, c, TAG_EXP, x)) : field_one(c);
}

felt element_rsq(struct field_run *m, unsigned c, felt x)
{
	const struct fact *f = known_fact(m->known, c, x);
	if (f && f->inverse_root) {
		felt const by = f->inverse_root;
		return element_positive(m, c, field_mul(c, by, element_rsq(m, c, f->multiple_of)));
	}
	felt a = element_magnitude(m, c, x);
	return a == field_one(c) ? a : element_positive(m, c, element_function(m, c, TAG_RSQ, a));
}

felt element_log(struct field_run *m, unsigned c, felt x)
{
	felt a = element_magnitude(m, c, x);
	return a == field_one(c) ? 0 : element_function(m, c, TAG_LOG, a);
}

/* Returns x itself if x is known to be in [0, 1), and the exact number if x is a known number. */
felt element_fraction(struct field_run *m, unsigned c, felt x)
{
	struct rational number, rest;
	const struct fact *there = known_fact(m->known, c, x);
	if (there && there->fraction)
		return x;
	if (known_exact(m->known, c, x, &number) && rational_fraction(&rest, &number))
		return known_element(m->known, c, &rest);
	known_asked(m->known, c, x);
	felt result = element_function(m, c, TAG_FRC, x);
	known_share(m->known, c, result);
	known_make(m->known, c, result)->fraction = true;
	return result;
}

felt element_floor(struct field_run *m, unsigned c, felt x)
{
	return element_sub(m, c, x, element_fraction(m, c, x));
}

void element_interpolate(struct field_run *m, bool saturated, const felt x[COLUMNS], const felt weight[VERTICES][FIELDS], felt sum[FIELDS])
{
	for (unsigned f = 0; f < FIELDS; f++) {
		sum[f] = 0;
		for (unsigned k = 0; k < VERTICES; k++) {
			felt const value = x[k * FIELDS + f];
			sum[f] = field_add(f, sum[f], field_mul(f, weight[k][f], saturated ? element_saturate(m, f, value) : value));
		}
	}
}
