/* Records how the planner came to a result, for --dump: the ways of writing the FP that were tried, and the plan that was taken. */
#ifndef FPMOVE_MOVE_STORY_H
#define FPMOVE_MOVE_STORY_H

#include "move/plan/plan.h"
#include "move/rules/rules.h"

/* A way of writing the FP, and the result of searching a plan for it. */
struct way_tried {
	const struct program *ps;
	const struct sites *sites; /* its instructions that may be written in several ways, and these ways; NULL if there are none */
	uint64_t time; /* nanoseconds that the search took, if there is a profile */
	const struct move_result *found; /* NULL if no plan fits the budgets, or none was found in time */
};

/* All that was tried for a pair or a group. */
struct planning {
	struct values *given; /* the values of the FPs as they came */
	struct { VEC(struct way_tried); } ways; /* in the order in which they were tried */
	const bool *rounds; /* [pair]: float arithmetic rounds a sum in the pair as it came (lang/rounding.h) */
	uint64_t least; /* time of the best plan of all ways, before tidying; UINT64_MAX if there is none */
	uint64_t bound; /* no plan that was searched for takes less time than this; 0 if it is not known, as the first search found no plan */
	uint32_t nodes; /* nodes of the first search by the options' target */
	bool searched;  /* there was a search by the options' target */
};

/* How the planner came to a result of -O2 or -O3; of a group with several FPs, to the result of the first. */
struct story {
	const struct story *before; /* if the pair was moved again, the story of the move before; else NULL */
	const struct planning *planning;
	const struct plan *plan; /* NULL if the result is the pair as it came, or made by the method of -O1 */
	unsigned way;            /* index in planning->ways of the way of writing the FP that `plan` is for */
	struct values *values;   /* values of the FP that `plan` is for */
};

#endif
