/* Pairs that have a program in common, and keep having it: those of --shared-vp and --shared-fp, and an effect's passes. */
#ifndef FPMOVE_SHARED_H
#define FPMOVE_SHARED_H

#include "pipeline.h"

/* The first n runs have the same vertex program, else the same pixel program, and were given to run_init.
 * Afterwards the done ones have the same new one, proven for each.  Behind them are `staying` runs with vertex programs of theirs, and pixel
 * programs that stay as they are: what the new vertex programs have for these is proven, too.  Runs that are rejected, be it
 * for their input or since they do not come to fit, are left out of it; if one fails, none is done.
 * What is planned takes seconds at most, however many they are; `tell` is told meanwhile (see struct allowance), and
 * when it says false, so does shared_run, and nothing is done. */
bool shared_run(struct run *, uint32_t n, uint32_t staying, bool same_vs, bool (*tell)(void *who, const struct allowance *), void *who);

#endif
