/* Declares explain_all(), which tells for each instruction whether it moved or why it stays. */
#ifndef FPMOVE_MOVE_OPTIMISE_H
#define FPMOVE_MOVE_OPTIMISE_H

#include "move/cut/cut.h"

/* Fills the result's fates for the instructions of the given FP, given->ps, and counts those that moved.  The plan is for the FP of the first
 * values, which is the given one or a variant of it; mask[k] has the lanes of its instruction k that stay. */
void explain_all(const struct values *, const lanes *mask, const struct values *given, const struct move_options *, struct move_result *);

#endif
