/* --verbose: how long each pass took, and what it changed. */
#ifndef FPMOVE_CLI_PASSES_H
#define FPMOVE_CLI_PASSES_H

#include "base/arena.h"
#include "base/profile.h"

/* Begins an empty profile of passes, with the system's clock as its clock. */
void passes_begin(struct profile *);
/* Writes a line for each pass, indented below the pass that runs it: its time, its runs, the number of runs that changed something, the slots
 * before and after those, and the nodes of a search.  More than three passes in a pass that changed nothing share a line. */
void show_passes(struct text *, const struct profile *);

#endif
