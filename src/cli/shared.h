/* Pairs that have a program in common, and keep having it. */
#ifndef FPMOVE_CLI_SHARED_H
#define FPMOVE_CLI_SHARED_H

#include "pipeline.h"

/* All runs have the same vertex (pixel) program, sources[0] (sources[1]), and were given to
 * run_init.  Afterwards the done ones have the same new one, proven for each.  Runs whose
 * inputs are rejected are left out of it.  The method is that of -O1. */
void shared_vp_run(struct run *, uint32_t n);
void shared_fp_run(struct run *, uint32_t n);

#endif
