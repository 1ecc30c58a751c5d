/* Pairs that have a program in common, and keep having it. */
#ifndef FPMOVE_CLI_SHARED_H
#define FPMOVE_CLI_SHARED_H

#include "pipeline.h"

/* All runs have the same vertex program, else the same pixel program, and were given to run_init.
 * Afterwards the done ones have the same new one, proven for each.  Runs that are rejected, be it
 * for their input or since they do not come to fit, are left out of it; if one fails, none is done. */
void shared_run(struct run *, uint32_t n, bool same_vs);

#endif
