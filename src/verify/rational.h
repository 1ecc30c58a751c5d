/* Exact rational numbers of limited length, for values that are computed from literals alone.  Private to src/verify. */
#ifndef FPMOVE_VERIFY_RATIONAL_H
#define FPMOVE_VERIFY_RATIONAL_H

#include <stdbool.h>
#include <stdint.h>

/* The most digits of a number, in base 2^32: 768 bits.  The mantissa of a float takes 24 bits, and any sum of floats fewer than 300. */
enum { RATIONAL_DIGITS = 24 };

/* An unsigned number, lowest digits first, in base 2^32; its highest digit is not 0. */
struct digits {
	uint32_t n;
	uint32_t at[RATIONAL_DIGITS];
};

/* The number over / under * 2^exponent, or its negative.  `over` and `under` are odd, or the number is 0 and `over` has no digits. */
struct rational {
	bool negative;
	int32_t exponent;
	struct digits over, under;
};

/* These four return false if the result is too long or not a number, and then leave `to` undefined. */
bool rational_float(struct rational *to, float);
bool rational_sum(struct rational *to, const struct rational *, const struct rational *);
bool rational_product(struct rational *to, const struct rational *, const struct rational *);
bool rational_inverse(struct rational *to, const struct rational *);
/* Computes x - floor x, for numbers whose denominator is a power of two; returns false for others. */
bool rational_fraction(struct rational *to, const struct rational *);
/* Returns -1 if the number is negative, 0 if it is 0, and 1 if it is positive. */
int rational_sign(const struct rational *);
/* Sets `*sign` to the sign of the first number minus the second.  Returns false if the difference is too long. */
bool rational_order(const struct rational *, const struct rational *, int *sign);

#endif
