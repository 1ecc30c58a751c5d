/* What other options would do for a pair that was rejected because no moves were found after which it fits. */
#ifndef FPMOVE_CLI_REMEDY_H
#define FPMOVE_CLI_REMEDY_H

#include "cli/options.h"

/* Adds a note to the diagnostics of such a run, which was planned by itself: the first option with which the pair fits, as
 * found by moving it so, or that none was found.  Other runs stay as they are. */
void find_remedy(struct run *, const struct options *);

#endif
