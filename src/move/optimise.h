/* What -O2 and -O3 plan with, for those who want a plan alone. */
#ifndef FPMOVE_MOVE_OPTIMISE_H
#define FPMOVE_MOVE_OPTIMISE_H

#include "move/cut/cut.h"

extern const struct plan_writers plan_writers;
/* The plan for one pair, in no other way of writing its FP; NULL as of plan_search_all(). */
struct planned *plan_search(struct values *, const struct program *vs, const struct move_options *);
/* What became of the instructions of `given->ps`, when the plan is for `v->ps`, of which the lanes in `mask` stay: the fates, and
 * how many moved. */
void explain_all(const struct values *, const lanes *mask, const struct values *given, const struct move_options *, struct move_result *);

#endif
