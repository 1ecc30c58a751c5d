/* What the files share that drive -O2 and -O3. */
#ifndef FPMOVE_MOVE_OPTIMISE_H
#define FPMOVE_MOVE_OPTIMISE_H

#include "move/cut/cut.h"

/* What became of the instructions of `given->ps`, when the plan is for `v->ps`, of which the lanes in `mask` stay: the fates, and
 * how many moved. */
void explain_all(const struct values *, const lanes *mask, const struct values *given, const struct move_options *, struct move_result *);

#endif
