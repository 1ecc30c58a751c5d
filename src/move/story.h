/* What a result of the planner goes back to: the ways of writing the FP that were tried, and the plan that was taken. */
#ifndef FPMOVE_MOVE_STORY_H
#define FPMOVE_MOVE_STORY_H

#include "move/plan/plan.h"
#include "move/rules/rules.h"

/* A way of writing the FP, and what searching a plan for it came to. */
struct way_tried {
	const struct program *ps;
	const struct sites *sites; /* alternatives in it, among which the search chooses; NULL: there are none */
	uint64_t time; /* nanoseconds that the search took, where there is a profile */
	const struct move_result *found; /* NULL: no plan that fits the budgets, or none that was found in time */
};

struct planning {
	struct values *given; /* of the FPs as they came */
	struct { VEC(struct way_tried); } ways; /* in the order in which they were tried */
	const bool *rounds; /* of each pair of the group as it came: float arithmetic rounds a sum in it (lang/rounding.h) */
	uint64_t least; /* time of the best plan among them, before tidying; UINT64_MAX: there is none */
	uint64_t bound; /* the lowest bound of all their searches; 0 if the first found no plan */
	uint32_t nodes; /* nodes of the first search by the target */
	bool searched;  /* there was a search by the target */
};

/* What a result of -O2 or -O3 goes back to; of several FPs, the first. */
struct story {
	const struct story *before; /* the pair was moved again: of the time before; NULL: it was not */
	const struct planning *planning;
	unsigned way;          /* of planning->ways, for which the plan is; if it is a plan */
	struct values *values; /* ... of the FP written that way */
	const struct plan *plan; /* NULL: the pair as it came, or by the method of -O1 */
};

#endif
