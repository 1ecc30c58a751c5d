/* Exact rational numbers up to a bound, for values that are computed from literals alone.  Private to src/verify. */
#ifndef FPMOVE_VERIFY_RATIONAL_H
#define FPMOVE_VERIFY_RATIONAL_H

#include <stdbool.h>
#include <stdint.h>

/* The mantissa of a float takes 24 bits, and any sum of floats fewer than 300. */
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

/* These return false if the result exceeds the bound, or is not a number, and leave `to` undefined then. */
bool rational_float(struct rational *to, float);
bool rational_sum(struct rational *to, const struct rational *, const struct rational *);
bool rational_product(struct rational *to, const struct rational *, const struct rational *);
bool rational_inverse(struct rational *to, const struct rational *);
/* Computes x - floor x, for numbers whose denominator is a power of two; returns false for others. */
bool rational_fraction(struct rational *to, const struct rational *);
/* Returns true if the two are equal digit by digit, which two forms of one fraction need not be. */
bool rational_same(const struct rational *, const struct rational *);
/* Returns -1, 0 or 1. */
int rational_sign(const struct rational *);
/* Sets `*sign` to the sign of the first number minus the second. */
bool rational_order(const struct rational *, const struct rational *, int *sign);

#endif
