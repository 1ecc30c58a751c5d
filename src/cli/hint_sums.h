/* Adds up the hints of all pairs of a folder, so that a user can choose one option for all of them. */
#ifndef FPMOVE_CLI_HINT_SUMS_H
#define FPMOVE_CLI_HINT_SUMS_H

#include "hints.h"

struct hint_sum {
	unsigned long slots; /* FP slots that the hints promise to save */
	unsigned pairs;      /* number of pairs that these hints were found for */
};

/* Sums of hints (hints.h: an option that would save FP slots) by kind.  Only hints that save slots by a single option count, and only options
 * that have no value or the same for all pairs. */
struct hint_sums {
	struct hint_sum kind[HINTS];
	unsigned samplers[HINTS];           /* bit n is set if a hint on textures names s#n */
	struct hint_sum sampler[HINTS][16]; /* for each sampler s#n, the sums of hints on textures that name only this sampler */
};

/* Adds the hints of `n` runs.  Neighbouring runs that were planned together share a list of hints, which counts once. */
void hint_sums_add(struct hint_sums *, const struct run *, uint32_t n);
/* Adds the second sums to the first. */
void hint_sums_join(struct hint_sums *, const struct hint_sums *);
/* Writes a line for each kind of hint that would save slots: "hint: --free-ties would save 12 FP slots in 3 pairs: ...". */
void hint_sums_show(struct text *, const struct hint_sums *);

#endif
