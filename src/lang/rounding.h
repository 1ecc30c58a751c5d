/* Finds where float arithmetic differs from real arithmetic: at numbers that a float cannot hold, and at sums to which a number far
 * larger than the rest is added and from which it is subtracted again, as `x + 12582912 - 12582912`, which rounds x to a whole number. */
#ifndef FPMOVE_LANG_ROUNDING_H
#define FPMOVE_LANG_ROUNDING_H

#include "lang/ir.h"

#include <float.h>
#include <math.h>

/* Returns true if a computed number may become a literal of a program: 0, or a number that a float holds with all digits.
 * Subnormal numbers may not, since it depends on the hardware whether they are flushed to 0. */
static inline bool number_is_normal(long double x)
{
	return (x >= 0 && x <= 0) || (fabsl(x) >= (long double)FLT_MIN && fabsl(x) <= (long double)FLT_MAX);
}

/* Added to a number 256 times as large, a float of 24 digits keeps 16 of them, and an fp24 (R300) of 16 digits keeps the 8 of a colour.
 * From this ratio on, a sum that subtracts the larger number again is visibly the smaller one rounded.  A larger limit would miss
 * programs that round to 256ths on purpose (49152 added to 16 x); 3,000 random pairs, the examples and public pairs have no sum with a
 * ratio between 256 and 4096. */
#define FAR_APART 0x1p8

/* The relative error of a float sum that subtracts a number FAR_APART times as large as its result. */
#define FAR_OFF (FAR_APART * 0x1p-24)

/* The largest factor that is moved to another place in a product.  Values from the application or an interpolator are taken to be about
 * 1, so products of two such factors still fit into a float. */
#define FAR_FACTOR 0x1p60

/* Returns true for 2^n and -2^n, except ones so far from 1 that a float might not hold the products in another order. */
static inline bool is_power_of_two(float x)
{
	int exponent;
	return fabsf(frexpf(x, &exponent)) == 0.5f && fabs((double)x) <= FAR_FACTOR && fabs((double)x) >= 1 / FAR_FACTOR;
}

#define ROUNDING_BY_VS (UINT32_MAX - 1)

/* A sum that subtracts again a number FAR_APART times as large as the result. */
struct rounding {
	uint32_t at;     /* index of the instruction that subtracts the number again */
	uint32_t by;     /* index of the instruction that added the number, which may be `at`; ROUNDING_BY_VS if the VP added it */
	double number;   /* the number that was added */
	double step;     /* distance between floats of that size, to which the sum is rounded */
};

/* A lane as scale * x + number, with an unknown x of size 1; if `scale` is 0, the lane is a known number. */
struct rounding_part {
	double number, scale;
	float rounded; /* the result of float arithmetic, if `scale` is 0 */
	double most;   /* the largest number that was added so far, scaled as the lane was since then */
	uint32_t by;   /* index of the instruction that added `most`; UINT32_MAX if there is none yet */
};

enum { ROUNDING_TEMPS = 32, ROUNDING_CARRIERS = MOST_TEX_OUTS };
struct rounding_walk {
	const struct program *p;
	uint32_t at;     /* the next instruction */
	struct register_set literals;
	struct rounding_register {
		lanes known; /* lanes of which more is known than that their value is about 1 */
		struct rounding_part lane[LANES];
	} temp[ROUNDING_TEMPS], carrier[ROUNDING_CARRIERS]; /* `carrier` holds the t# that an FP reads, or the oT# that a VP has written so far */
	unsigned lane;   /* result lane that is computed */
	bool any;        /* this program or the VP has literals, or numbers that dst makes */
	bool found;      /* the last instruction has a sum that rounds */
	struct rounding what; /* the first sum of the last instruction that rounds */
	double step[LANES]; /* the step of the sum in each lane; 0 for lanes in which no sum rounds */
};

/* Starts a walk over the program.  `vs` is NULL, or a walk that has come to the end of the VP, whose oT# are the t# of this program. */
void rounding_start(struct rounding_walk *, const struct program *, const struct rounding_walk *vs);
/* Finds the next instruction with a sum that rounds.  Returns false if there are no more.  The walk follows literals, and lanes of r# and
 * oT# as a multiple of an unknown value plus a number.  Other values are taken to be of size 1. */
bool rounding_next(struct rounding_walk *);
/* Returns true if either program has a sum that rounds. */
bool rounding_any(const struct program *vs, const struct program *ps);

#endif
