/* Reads the target or targets of a run, and computes what a pair costs under them.  A target is a profile of costs (target.h). */
#ifndef FPMOVE_AIM_H
#define FPMOVE_AIM_H

#include "move/passes.h"
#include "verify/verify.h"

struct run_options;

/* The cost of a pair before and after its programs changed. */
struct costs {
	double before, after;
};

/* Reads the value of --target, such as "slots" or "adreno6,gcn": sets the targets to plan for, and those whose costs reports show.  "all" only
 * sets the latter.  Returns false if a name is unknown, and sets `wrong` and `n` to the beginning and the length of that name. */
bool aim_read(struct run_options *, const char *names, const char **wrong, size_t *n);

/* Returns a target that counts slots of both programs: those of the FP, plus those of the VP divided by the number of pixels for each vertex.
 * If that number is 0, since vertices outnumber pixels, a VP slot counts as 96 FP slots. */
struct target aim_all_slots(unsigned pixels_per_vertex);
/* Returns a target under which any pair costs the sum of its costs under the targets of `set` (bits of enum target_id), each divided by what the
 * given pair costs under that target. */
struct target aim_joint(uint32_t set, struct pair, unsigned pixels_per_vertex);
/* Returns the cost before as 100, and the cost after in per cent of it: the mean over the targets of `set`. */
struct costs aim_shares(uint32_t set, struct pair before, struct pair after, unsigned pixels_per_vertex);

#endif
