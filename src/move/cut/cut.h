/* The face of this room: the search for the best plan. */
#ifndef FPMOVE_MOVE_CUT_CUT_H
#define FPMOVE_MOVE_CUT_CUT_H

#include "move/cover/delivery.h"
#include "move/passes.h"
#include "move/plan/plan.h"
#include "move/plan/score.h"

/* What the search found best. */
struct planned {
	struct move_result *result; /* of each pair: both programs, consts, folds, optimal, nodes, gap */
	struct plan *plan;          /* of each FP */
	struct layout layout;
	struct score score;         /* time: of all FPs, each with its share of the VPs */
	struct score expected;      /* the same, but with the slots of the VP that were estimated */
};
/* How far a search goes. */
struct scope {
	uint64_t most;   /* plans of more time than this, as struct planned has it, are of no use, nor are those slower than the pairs */
	uint32_t effort; /* search nodes before the plan found so far is taken */
	struct allowance *allowance; /* NULL: none; the search ends when ... */
	uint64_t spare;              /* ... no more than this is left of it */
	uint64_t bound;              /* written by the search: no plan takes less time than this */
};
/* One plan for all FPs that are numbered, and all VPs, of which there is one if there are several
 * FPs; `options` are those of each VP.  NULL: no plan fits the budgets, or none was found in time. */
struct planned *plan_search_all(struct values *, const struct program *const *vs, unsigned nvs,
                                const struct move_options *, struct scope *);
/* The plan for one pair, in no other way of writing its FP; NULL as above. */
struct planned *plan_search(struct values *, const struct program *vs, const struct move_options *);

#endif
