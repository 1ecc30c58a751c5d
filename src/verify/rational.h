/* Exact rational numbers up to a bound, for values that are made of literals alone.  Private to src/verify. */
#ifndef FPMOVE_VERIFY_RATIONAL_H
#define FPMOVE_VERIFY_RATIONAL_H

#include <stdbool.h>
#include <stdint.h>

/* Any float takes 24 bits, and any sum of floats fewer than 300. */
enum { RATIONAL_DIGITS = 24 };

/* An unsigned number, lowest digits first, in base 2^32; its highest digit is not 0. */
struct digits {
	uint32_t n;
	uint32_t at[RATIONAL_DIGITS];
};

/* over / under 2^exponent, negated or not.  Both are odd, or the number is 0 and `over` has no digits. */
struct rational {
	bool negative;
	int32_t exponent;
	struct digits over, under;
};

/* What follows is false where the result would take more than the bound, or is none; then `to` is not meant. */
bool rational_float(struct rational *to, float);
bool rational_sum(struct rational *to, const struct rational *, const struct rational *);
bool rational_product(struct rational *to, const struct rational *, const struct rational *);
bool rational_inverse(struct rational *to, const struct rational *);
/* x - floor x; only of numbers over a power of two. */
bool rational_fraction(struct rational *to, const struct rational *);
/* Are they one number, digit by digit? */
bool rational_same(const struct rational *, const struct rational *);
/* -1, 0 or 1 */
int rational_sign(const struct rational *);
/* The sign of the first less the second in *sign. */
bool rational_order(const struct rational *, const struct rational *, int *sign);

#endif
