/* Reads the target or targets of a run, of which none may lose, and tells what a pair costs under them. */
#ifndef FPMOVE_AIM_H
#define FPMOVE_AIM_H

#include "move/passes.h"
#include "verify/verify.h"

struct run_options;

/* Before and after. */
struct costs {
	double before, after;
};

/* Reads "slots", "adreno6,gcn" or "all": the target or targets to plan for, and those whose costs are told.  `all` only tells.  False:
 * there is no such target; `wrong` is where its name begins, of `n` characters. */
bool aim_read(struct run_options *, const char *names, const char **wrong, size_t *n);

/* Returns slots with those of the VP among them, as many of them for a pixel as the ratio says.  At a ratio of 0, where vertices outnumber
 * pixels, a VP slot is worth 96 of the FP. */
struct target aim_all_slots(unsigned pixels_per_vertex);
/* A profile under which the pair's cost is the sum of its costs under the targets of the set, each as a share of what it is now. */
struct target aim_joint(uint32_t set, struct pair, unsigned pixels_per_vertex);
/* The mean of those shares, in per cent. */
struct costs aim_shares(uint32_t set, struct pair before, struct pair after, unsigned pixels_per_vertex);

#endif
