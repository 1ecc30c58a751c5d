/* The face of this room: the search for the best plan. */
#ifndef FPMOVE_MOVE_CUT_CUT_H
#define FPMOVE_MOVE_CUT_CUT_H

#include "move/cover/delivery.h"
#include "move/passes.h"
#include "move/plan/plan.h"
#include "move/plan/score.h"

/* The best plan that the search found. */
struct planned {
	struct move_result *result; /* of each pair: both programs, consts, folds, optimal, nodes, gap */
	struct plan *plan;          /* of each FP */
	struct layout layout;
	struct score score;         /* time: of all FPs, each with its share of the VPs */
	struct score expected;      /* the same with the estimated slots of the VP */
};
/* Limits of a search. */
struct scope {
	uint64_t most;   /* upper bound of score.time in struct planned; a plan slower than the pairs as they are is of no use either */
	uint32_t effort; /* search nodes after which the best plan so far is taken */
	struct allowance *allowance; /* NULL if there is none */
	uint64_t spare;              /* the search ends when no more than this is left of the allowance */
	uint64_t bound;              /* written by the search: no plan takes less time than this */
};
/* Returns one plan for all numbered FPs and all VPs, where one of the two is single, or NULL if no plan fits the budgets or none was found
 * in time.  `options`: of each VP. */
struct planned *plan_search_all(struct values *, const struct program *const *vs, unsigned nvs,
                                const struct move_options *, struct scope *);
/* Returns the plan for one pair, whose FP is written in no other way, or NULL as above. */
struct planned *plan_search(struct values *, const struct program *vs, const struct move_options *);

#endif
