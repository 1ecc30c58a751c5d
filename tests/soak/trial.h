/* Runs one pair through the mover, the checker, the proof and the interpreter. */
#ifndef FPMOVE_TESTS_TRIAL_H
#define FPMOVE_TESTS_TRIAL_H

#include "gen.h"
#include "pipeline.h"

enum trial_end {
	TRIAL_GOOD,
	TRIAL_TOO_LONG,  /* its model is too long or the budget too small, and the result did not fit */
	TRIAL_REJECTED,  /* a legal pair that the mover rejected */
	TRIAL_FAULT,     /* the result failed its checks or its proof */
	TRIAL_APART,     /* proved equal, but the interpreter disagrees in double */
	TRIAL_BLIND,     /* the same for a result that was damaged on purpose */
	TRIAL_DEARER,    /* by its own count, another level, the plan for slots, or the given pair is cheaper */
	TRIAL_COUNT
};
extern const char *const trial_names[TRIAL_COUNT];

struct trial {
	enum trial_end outcome;
	bool improved;
	const char *wide;           /* the rounding for which --verify would refuse it, or NULL */
	uint64_t pixels, left_out;  /* pixels that were drawn, and those that could not be compared */
	unsigned damaged, refuted;  /* results damaged on purpose, and those that the proof refuted */
	const char *why;
	const char *vs_out, *ps_out; /* the programs that were written, or NULL */
};

/* Returns whether both programs keep all rules; a pair that breaks one says nothing about the mover. */
bool is_legal(struct arena *, struct gen_pair);
/* Tries a legal pair.  After a good trial it makes `damages` random mistakes (of the seed) in the result, one at a time: the proof
 * must refute each, or the interpreter must see no difference. */
struct trial try_pair(struct arena *, struct gen_pair, const struct run_options *, unsigned damages, uint64_t seed);
/* Returns a smaller pair that still ends in `outcome`. */
struct gen_pair reduce_pair(struct gen_pair, const struct run_options *, enum trial_end, unsigned damages, uint64_t seed,
                            struct arena *keep);
const char *pair_text(struct arena *, const struct program *);

#endif
