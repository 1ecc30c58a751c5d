/* One pair through the mover, the checker, the proof and the interpreter. */
#ifndef FPMOVE_TESTS_TRIAL_H
#define FPMOVE_TESTS_TRIAL_H

#include "gen.h"
#include "pipeline.h"

enum trial_end {
	TRIAL_GOOD,
	TRIAL_TOO_LONG,  /* of a longer pixel model or for a smaller budget, and did not come to fit */
	TRIAL_REJECTED,  /* legal, and yet rejected when moved */
	TRIAL_FAULT,     /* the result failed its checks or its proof */
	TRIAL_APART,     /* proved equal, and the interpreter disagrees in double */
	TRIAL_BLIND,     /* the same, of a result that was damaged on purpose */
	TRIAL_DEARER,    /* by its own count another level, or the plan for slots, makes a cheaper pair, or it is best as it was */
	TRIAL_COUNT
};
extern const char *const trial_names[TRIAL_COUNT];

struct trial {
	enum trial_end outcome;
	bool improved;
	const char *wide;           /* why --verify would refuse it, for what rounding does; or NULL */
	uint64_t pixels, left_out;  /* that were drawn, and those that could not be compared */
	unsigned damaged, refuted;  /* results damaged on purpose, and those the proof refuted */
	const char *why;
	const char *vs_out, *ps_out; /* what was emitted, or NULL */
};

/* Do both programs keep all rules?  What breaks one says nothing about the mover. */
bool is_legal(struct arena *, struct gen_pair);
/* Of a legal pair.  After a good trial, `damages` random mistakes (of the seed) are made in the result, one at
 * a time: the proof must refute each, or the interpreter must see no difference. */
struct trial try_pair(struct arena *, struct gen_pair, const struct run_options *, unsigned damages, uint64_t seed);
/* A smaller pair that still ends in `outcome`. */
struct gen_pair reduce_pair(struct gen_pair, const struct run_options *, enum trial_end, unsigned damages, uint64_t seed,
                            struct arena *keep);
const char *pair_text(struct arena *, const struct program *);

#endif
