/* Takes runs (each of one pair) through the pipeline: one run alone, or runs of pairs that share a program (passes of an effect, or pairs with
 * --shared-vp or --shared-fp). */
#ifndef FPMOVE_JOB_H
#define FPMOVE_JOB_H

#include "pipeline.h"

/* Runs that are planned together; run_init must have prepared each.  If there are several, they share one program, which gets one new version. */
struct job {
	struct run *runs;
	uint32_t n;
	/* The number of further runs after the first n in `runs`: their vertex programs are among those of the n, and their pixel programs stay. */
	uint32_t staying;
	bool same_vs;     /* if there are several runs, true if they share the vertex program, false if they share the pixel program */
	bool proves_later; /* true if the caller proves the `staying` runs with the new vertex programs, so that job_run() does not */
	/* Called from time to time while several runs are planned, with the work that is left.  If it returns false, the job stops. */
	bool (*tell)(void *who, const struct allowance *);
	void *who;
};

/* Takes all runs through the pipeline, except those that have an error already.  Runs that are rejected, for their input or since they do not fit
 * their models, are left out, and the others are planned without them.  The new version of a shared program is proven for each run; unless
 * `proves_later`, the new vertex programs are also proven with the pixel programs of the `staying` runs.  If a run fails by a fault of fpmove,
 * all others are rejected.  Returns false if `tell` stopped the job; then the results do not count. */
bool job_run(const struct job *);

#endif
