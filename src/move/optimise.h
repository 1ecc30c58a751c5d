/* What -O2 and -O3 plan with, for those who want a plan alone. */
#ifndef FPMOVE_MOVE_OPTIMISE_H
#define FPMOVE_MOVE_OPTIMISE_H

#include "move/cut/cut.h"

extern const struct plan_writers plan_writers;
/* The plan for one pair, in no other way of writing its FP; NULL as of plan_search_all(). */
struct planned *plan_search(struct values *, const struct program *vs, const struct move_options *);

#endif
