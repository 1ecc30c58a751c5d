/* Where float arithmetic is not real arithmetic: numbers that a float cannot hold, and sums that a number far larger than
 * the rest is added to and taken away from again, as `x + 12582912 - 12582912`, which rounds x to a whole number. */
#ifndef FPMOVE_LANG_ROUNDING_H
#define FPMOVE_LANG_ROUNDING_H

#include "lang/ir.h"

#include <float.h>
#include <math.h>

/* Can a number that is not written in a program become a literal of it?  0, or what a float holds with all its digits:
 * Direct3D 9 flushes subnormal numbers to 0 or does not, as the hardware likes. */
static inline bool number_is_normal(long double x)
{
	return (x >= 0 && x <= 0) || (fabsl(x) >= (long double)FLT_MIN && fabsl(x) <= (long double)FLT_MAX);
}

/* Beside a number 256 times as large, what has the 24 digits of a float keeps 16, and what has the 16 of fp24 (R300)
 * keeps the 8 of a colour: from there on a sum that takes the larger away again is the smaller rounded, as one sees.
 * A larger ratio would let through what rounds in 256ths on purpose (49152 beside 16 x); of 3,000 random pairs, the
 * examples and public pairs none has a sum between this and 4096. */
#define FAR_APART 0x1p8

/* What float arithmetic has then lost of a number: a part of it. */
#define FAR_OFF (FAR_APART * 0x1p-24)

/* A number that is not a program's own is never added up and taken away beyond this: values that the
 * application or an interpolator gives are taken to be about 1, so that two such factors still make a float. */
#define FAR_FACTOR 0x1p60

/* 2^n or its negation, but none so far from 1 that a float might not hold what it holds in another order? */
static inline bool is_power_of_two(float x)
{
	int exponent;
	return fabsf(frexpf(x, &exponent)) == 0.5f && fabs((double)x) <= FAR_FACTOR && fabs((double)x) >= 1 / FAR_FACTOR;
}

#define ROUNDING_BY_VS (UINT32_MAX - 1)

/* A sum that takes away again what is FAR_APART of all that it leaves. */
struct rounding {
	uint32_t at;     /* the instruction that takes it away */
	uint32_t by;     /* the one that added it, or `at`, or ROUNDING_BY_VS */
	double number;   /* what was added */
	double step;     /* beside it a float is a multiple of this */
};

/* A lane as scale * something of size 1 + number; `scale` 0: the number alone. */
struct rounding_part {
	double number, scale;
	float rounded; /* of a number alone: as float arithmetic has it */
	double most;   /* the largest number that was added on the way, in the units of this */
	uint32_t by;   /* the instruction that added it; UINT32_MAX: none did yet */
};

enum { ROUNDING_TEMPS = 32, ROUNDING_CARRIERS = MOST_TEX_OUTS };
struct rounding_walk {
	const struct program *p;
	uint32_t at;     /* the next instruction */
	struct register_set literals;
	struct rounding_register {
		lanes known; /* those in which something is, other than of size 1 */
		struct rounding_part lane[LANES];
	} temp[ROUNDING_TEMPS], carrier[ROUNDING_CARRIERS]; /* t#, or what is in oT# so far */
	unsigned lane;   /* that is looked at */
	bool any;        /* literal that may be large, here or in the VP */
	bool found;      /* at the instruction that was looked at last */
	struct rounding what;
	double step[LANES]; /* ... beside what each lane took away there; 0: it took nothing away */
};

/* The instructions that take such a number away, in their order, each once; false: there are no more.  Followed are
 * literals, and lanes of r# and oT# as a multiple of something plus a number; what is not known is taken to be of
 * size 1.  `vs`: NULL, or a walk that has come to the end of the VP, whose oT# are the t# of this program. */
void rounding_start(struct rounding_walk *, const struct program *, const struct rounding_walk *vs);
bool rounding_next(struct rounding_walk *);
/* Is there any in either? */
bool rounding_any(const struct program *vs, const struct program *ps);

#endif
