/* Exact rational numbers, see rational.h. */
#include "verify/rational.h"

#include <string.h>

/* --- unsigned numbers ----------------------------------------------------------------- */

static void trim_digits(struct digits *d)
{
	while (d->n && !d->at[d->n - 1])
		d->n--;
}

/* Returns digit `at` (32 bits, 0 is the lowest) of a number times 2^shift; digits beyond the ends of the number are 0. */
static uint32_t shifted_digit(const struct digits *d, int32_t shift, int32_t at)
{
	int32_t from = at * 32 - shift; /* the bit of the number that becomes the lowest bit of the digit */
	int32_t digit = from >= 0 ? from / 32 : -((31 - from) / 32);
	unsigned cut = (unsigned)(from - digit * 32);
	uint64_t low = digit >= 0 && digit < (int32_t)d->n ? d->at[digit] : 0;
	uint64_t high = digit + 1 >= 0 && digit + 1 < (int32_t)d->n ? d->at[digit + 1] : 0;
	return (uint32_t)((high << 32 | low) >> cut);
}

static uint32_t width_in_bits(const struct digits *d)
{
	uint32_t n = d->n * 32;
	while (n && !(d->at[(n - 1) / 32] >> (n - 1) % 32 & 1))
		n--;
	return n;
}

static bool shift_digits(struct digits *to, const struct digits *from, int32_t by)
{
	int64_t width = (int64_t)width_in_bits(from) + by;
	if (width > RATIONAL_DIGITS * 32)
		return false;
	struct digits d = {.n = width > 0 ? (uint32_t)(width + 31) / 32 : 0};
	for (uint32_t k = 0; k < d.n; k++)
		d.at[k] = shifted_digit(from, by, (int32_t)k);
	trim_digits(&d);
	*to = d;
	return true;
}

static int compare_digits(const struct digits *a, const struct digits *b)
{
	if (a->n != b->n)
		return a->n < b->n ? -1 : 1;
	for (uint32_t k = a->n; k-- > 0;)
		if (a->at[k] != b->at[k])
			return a->at[k] < b->at[k] ? -1 : 1;
	return 0;
}

static bool add_digits(struct digits *to, const struct digits *a, const struct digits *b)
{
	struct digits sum = {.n = a->n > b->n ? a->n : b->n};
	uint64_t carry = 0;
	for (uint32_t k = 0; k < sum.n; k++) {
		carry += (uint64_t)(k < a->n ? a->at[k] : 0) + (k < b->n ? b->at[k] : 0);
		sum.at[k] = (uint32_t)carry;
		carry >>= 32;
	}
	if (carry && sum.n == RATIONAL_DIGITS)
		return false;
	if (carry)
		sum.at[sum.n++] = (uint32_t)carry;
	*to = sum;
	return true;
}

/* Computes a - b for a >= b. */
static void subtract_digits(struct digits *to, const struct digits *a, const struct digits *b)
{
	struct digits rest = {.n = a->n};
	uint64_t borrow = 0;
	for (uint32_t k = 0; k < a->n; k++) {
		uint64_t part = (uint64_t)a->at[k] - (k < b->n ? b->at[k] : 0) - borrow;
		rest.at[k] = (uint32_t)part;
		borrow = part >> 63;
	}
	trim_digits(&rest);
	*to = rest;
}

static bool multiply_digits(struct digits *to, const struct digits *a, const struct digits *b)
{
	uint32_t all[2 * RATIONAL_DIGITS] = {0}, n = a->n + b->n;
	for (uint32_t i = 0; i < a->n; i++) {
		uint64_t carry = 0;
		for (uint32_t k = 0; k < b->n; k++) {
			carry += (uint64_t)a->at[i] * b->at[k] + all[i + k];
			all[i + k] = (uint32_t)carry;
			carry >>= 32;
		}
		all[i + b->n] = (uint32_t)carry;
	}
	while (n && !all[n - 1])
		n--;
	if (n > RATIONAL_DIGITS)
		return false;
	struct digits product = {.n = n};
	memcpy(product.at, all, n * sizeof *all);
	*to = product;
	return true;
}

/* --- rational numbers ----------------------------------------------------------------- */

static uint32_t trailing_zeros(const struct digits *d)
{
	uint32_t n = 0;
	while (!(d->at[n / 32] >> n % 32 & 1))
		n++;
	return n;
}

/* Makes the numerator `over` odd, as the denominator `under` already is.  Returns false if the exponent gets too large. */
static bool normalise_rational(struct rational *x)
{
	enum { FARTHEST = 1 << 24 };
	if (!x->over.n) {
		*x = (struct rational){.under = {1, {1}}};
		return true;
	}
	int32_t zeros = (int32_t)trailing_zeros(&x->over);
	x->exponent += zeros;
	return shift_digits(&x->over, &x->over, -zeros) && x->exponent < FARTHEST && x->exponent > -FARTHEST;
}

bool rational_float(struct rational *to, float value)
{
	uint32_t word;
	memcpy(&word, &value, sizeof word);
	int32_t exponent = word >> 23 & 0xff;
	uint32_t mantissa = word & 0x7fffff;
	if (exponent == 255)
		return false;
	if (exponent)
		mantissa |= 0x800000;
	else
		exponent = 1;
	*to = (struct rational){.negative = word >> 31, .exponent = exponent - 150, .over = {mantissa != 0, {mantissa}}, .under = {1, {1}}};
	return normalise_rational(to);
}

bool rational_sum(struct rational *to, const struct rational *a, const struct rational *b)
{
	struct rational sum = {.exponent = a->exponent < b->exponent ? a->exponent : b->exponent};
	struct digits x, y;
	if (!a->over.n || !b->over.n) {
		*to = a->over.n ? *a : *b;
		return true;
	}
	if (!multiply_digits(&x, &a->over, &b->under) || !shift_digits(&x, &x, a->exponent - sum.exponent) ||
	    !multiply_digits(&y, &b->over, &a->under) || !shift_digits(&y, &y, b->exponent - sum.exponent) ||
	    !multiply_digits(&sum.under, &a->under, &b->under))
		return false;
	bool first = compare_digits(&x, &y) >= 0;
	sum.negative = first ? a->negative : b->negative;
	if (a->negative != b->negative)
		subtract_digits(&sum.over, first ? &x : &y, first ? &y : &x);
	else if (!add_digits(&sum.over, &x, &y))
		return false;
	*to = sum;
	return normalise_rational(to);
}

bool rational_product(struct rational *to, const struct rational *a, const struct rational *b)
{
	struct rational product = {.negative = a->negative != b->negative, .exponent = a->exponent + b->exponent};
	if (!multiply_digits(&product.over, &a->over, &b->over) || !multiply_digits(&product.under, &a->under, &b->under))
		return false;
	*to = product;
	return normalise_rational(to);
}

bool rational_inverse(struct rational *to, const struct rational *a)
{
	if (!a->over.n)
		return false;
	*to = (struct rational){.negative = a->negative, .exponent = -a->exponent, .over = a->under, .under = a->over};
	return true;
}

bool rational_fraction(struct rational *to, const struct rational *a)
{
	static const struct digits one = {1, {1}};
	struct digits whole, rest;
	if (compare_digits(&a->under, &one) != 0)
		return false;
	if (a->exponent >= 0 || !a->over.n) {
		*to = (struct rational){.under = one};
		return true;
	}
	if (!shift_digits(&whole, &a->over, a->exponent) || !shift_digits(&whole, &whole, -a->exponent))
		return false;
	subtract_digits(&rest, &a->over, &whole);
	struct rational fraction = {.exponent = a->exponent, .over = rest, .under = one};
	if (a->negative) { /* x - floor x is 1 minus the fraction of -x, which is not 0 here */
		struct rational const unit = {.under = one, .over = one};
		fraction.negative = true;
		return rational_sum(to, &unit, &fraction);
	}
	*to = fraction;
	return normalise_rational(to);
}

int rational_sign(const struct rational *a)
{
	return !a->over.n ? 0 : a->negative ? -1 : 1;
}

bool rational_order(const struct rational *a, const struct rational *b, int *sign)
{
	struct rational less = *b, rest;
	less.negative = !less.negative;
	if (rational_sign(a) != rational_sign(b)) {
		*sign = rational_sign(a) < rational_sign(b) ? -1 : 1;
		return true;
	}
	if (!rational_sum(&rest, a, &less))
		return false;
	*sign = rational_sign(&rest);
	return true;
}
