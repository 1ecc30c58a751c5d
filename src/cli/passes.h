/* --verbose: how long each pass took, and what it changed. */
#ifndef FPMOVE_CLI_PASSES_H
#define FPMOVE_CLI_PASSES_H

#include "base/arena.h"
#include "base/profile.h"

/* A profile with this machine's clock; later ones are added to it with profile_add. */
void passes_begin(struct profile *);
/* A line for each pass, indented below the one that runs it: time, runs, those that changed something, slots before and
 * after these, nodes of a search. */
void show_passes(struct text *, const struct profile *);

#endif
