/* Declares the search for the best plan.  A plan (plan/plan.h) tells which FP instructions stay, and which values the VP sends instead. */
#ifndef FPMOVE_MOVE_CUT_CUT_H
#define FPMOVE_MOVE_CUT_CUT_H

#include "move/cover/delivery.h"
#include "move/passes.h"
#include "move/plan/plan.h"
#include "move/plan/score.h"

/* The best plan that the search found. */
struct planned {
	struct move_result *result; /* one for each pair, with programs, constants, folds and figures of the search; fates are not filled */
	struct plan *plan;          /* one for each FP */
	struct layout layout;
	struct score score;         /* score of the written programs; its time is the sum over all pairs, divided by the number of VPs */
	struct score expected;      /* like `score`, but with the VP slots that were estimated before the VP was written */
};
/* Limits of a search for the best plan, and the bound that it finds. */
struct scope {
	uint64_t most;   /* most time (score.time of struct planned) that a plan may take; it must not be slower than the given pairs either */
	uint32_t effort; /* search nodes after which the best plan so far is taken */
	struct allowance *allowance; /* limits the steps of the group's searches together; NULL if they are not limited */
	uint64_t spare;              /* steps of the allowance that this search must leave for later ones */
	uint64_t bound;              /* set by the search: no plan takes less time than this */
};
/* Searches for the best plan for all FPs that `values` numbers and all these VPs; there may be several FPs or several VPs, but not both.
 * Returns NULL if no plan fits the budgets, or none was found in time.  `options` has an element for each VP. */
struct planned *plan_search_all(struct values *, const struct program *const *vs, unsigned nvs,
                                const struct move_options *, struct scope *);
/* Searches for the best plan for a single pair, limited by options->effort alone.  Returns NULL if there is none, or none was found in time. */
struct planned *plan_search(struct values *, const struct program *vs, const struct move_options *);

#endif
