/* Finds options that would help a pair that was rejected because it does not fit its models, even after moving. */
#ifndef FPMOVE_CLI_REMEDY_H
#define FPMOVE_CLI_REMEDY_H

#include "cli/options.h"

/* Adds a note to the diagnostics of a run that was rejected because its pair does not fit and that was planned by itself.  The note names the
 * first option with which the pair fits, found by moving it with that option, or says that none was found.  Leaves other runs as they are. */
void find_remedy(struct run *, const struct options *);

#endif
