/* The list of results that -O2 and -O3 choose from. */
#ifndef FPMOVE_MOVE_CANDIDATES_H
#define FPMOVE_MOVE_CANDIDATES_H

#include "move/passes.h"

struct candidate {
	struct move_result **all; /* of each pair, before tidying */
	uint64_t time;            /* of all, by the target, before tidying */
	bool fits;                /* budgets and models allow every pair, before tidying */
};
struct candidates {
	VEC(struct candidate);
};

void candidates_add(struct arena *, const struct group *, struct move_result **all, struct candidates *to);
/* Tidies what may be the best, and returns the best, the first of several that are alike.  `rounds`: of each pair of the group, float
 * arithmetic rounds a sum in it. */
struct move_result **candidates_best(const struct candidates *, const struct group *, const bool *rounds, struct arena *);

/* Returns room for a result of each pair. */
struct move_result **group_results(struct arena *, const struct group *);
/* Returns whether pair `i` of the group shares this program with one before it, whose result holds it then. */
bool group_has_shared(const struct group *, unsigned i, enum stage);

#endif
