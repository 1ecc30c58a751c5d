/* Sums of the hints of a folder's pairs, so that one option can be judged for all of it. */
#ifndef FPMOVE_CLI_HINT_SUMS_H
#define FPMOVE_CLI_HINT_SUMS_H

#include "hints.h"

struct hint_sum {
	unsigned long slots; /* FP slots that the hints say would be saved */
	unsigned pairs;      /* that they are said of */
};

/* Holds the hints that name one thing each, without a number that fits one pair only. */
struct hint_sums {
	struct hint_sum kind[HINTS];
	unsigned samplers[HINTS];           /* bit n: a hint on textures names s#n */
	struct hint_sum sampler[HINTS][16]; /* sums of the hints on textures that name s#n alone */
};

/* Adds the hints of `n` runs; those of runs that were planned together count once. */
void hint_sums_add(struct hint_sums *, const struct run *, uint32_t n);
void hint_sums_join(struct hint_sums *, const struct hint_sums *);
/* Writes a line for each kind that would save something. */
void hint_sums_show(struct text *, const struct hint_sums *);

#endif
