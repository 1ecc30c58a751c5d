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

/* The largest factor for which products may be reordered.  As values from the application or an interpolator are taken to be about 1,
 * products of two such factors still fit into a float. */
#define FAR_FACTOR 0x1p60

/* Returns true for 2^n and -2^n with magnitudes from 1 / FAR_FACTOR to FAR_FACTOR. */
static inline bool is_power_of_two(float x)
{
	int exponent;
	return fabsf(frexpf(x, &exponent)) == 0.5f && fabs((double)x) <= FAR_FACTOR && fabs((double)x) >= 1 / FAR_FACTOR;
}

#define ROUNDING_BY_VS (UINT32_MAX - 1)

/* A sum that subtracts a number, added before, that is FAR_APART times as large as the result. */
struct rounding {
	uint32_t at;     /* index of the instruction that subtracts the number again */
	uint32_t by;     /* index of the instruction that added the number, which may be `at`; ROUNDING_BY_VS if the VP added it */
	double number;   /* the number that was added */
	double step;     /* distance between floats of the size of `number`: the sum is rounded to a multiple of it */
};

/* The value of a lane: scale * x + number with an unknown x of about 1; if `scale` is 0, a known number. */
struct rounding_part {
	double number, scale;
	float rounded; /* the result of float arithmetic, if `scale` is 0 */
	double most;   /* magnitude of the largest number added so far, times the factors that the sum was multiplied by since */
	uint32_t by;   /* index of the instruction that added `most`; UINT32_MAX if there is none yet */
};

enum { ROUNDING_TEMPS = 32, ROUNDING_CARRIERS = MOST_TEX_OUTS };
struct rounding_walk {
	const struct program *p;
	uint32_t at;     /* the next instruction */
	struct register_set literals;
	struct rounding_register {
		lanes known; /* lanes with a `lane`; values of other lanes are taken to be about 1 */
		struct rounding_part lane[LANES];
	} temp[ROUNDING_TEMPS], carrier[ROUNDING_CARRIERS]; /* `carrier` holds the t# that an FP reads, or the oT# that a VP has written so far */
	unsigned lane;   /* the result lane that rounding_next() computes */
	bool any;        /* this program or the VP has literals, or numbers that dst makes */
	bool found;      /* the last instruction has a sum that rounds */
	struct rounding what; /* the first sum of the last instruction that rounds */
	double step[LANES]; /* the step of the sum in each lane; 0 for lanes in which no sum rounds */
};

/* Starts a walk over the program.  `vs` is NULL, or the finished walk over the VP, whose oT# give the values of this program's t#. */
void rounding_start(struct rounding_walk *, const struct program *, const struct rounding_walk *vs);
/* Walks to the next instruction with a sum that rounds, and fills `what` and `step`.  Returns false if there is none.  Follows literals and
 * lanes of r# and oT# (struct rounding_part); takes other values to be about 1. */
bool rounding_next(struct rounding_walk *);
/* Returns true if either program has a sum that rounds. */
bool rounding_any(const struct program *vs, const struct program *ps);

#endif
