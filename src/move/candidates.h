/* Declares the list of candidates, the results that -O2 and -O3 choose from. */
#ifndef FPMOVE_MOVE_CANDIDATES_H
#define FPMOVE_MOVE_CANDIDATES_H

#include "move/passes.h"

struct candidate {
	struct move_result **all; /* the result of each pair, before tidying */
	uint64_t time;            /* the time of all pairs by the target, before tidying */
	bool fits;                /* every pair fits its budgets and models, before tidying */
};
struct candidates {
	VEC(struct candidate);
};

void candidates_add(struct arena *, const struct group *, struct move_result **all, struct candidates *to);
/* Tidies the candidates that may be the best, and returns the best one, the first of several that are equally good.  rounds[i] tells whether
 * float arithmetic rounds a sum in pair i of the group. */
struct move_result **candidates_best(const struct candidates *, const struct group *, const bool *rounds, struct arena *);

/* Allocates an array for the result of each pair, filled with NULL. */
struct move_result **group_results(struct arena *, const struct group *);
/* Returns true if pair `i` of the group is not the first and shares its program of this stage with the first, so that their results have one
 * program, too. */
bool group_has_shared(const struct group *, unsigned i, enum stage);

#endif
