/* Takes runs through the pipeline: that of a single pair, or those of pairs that share a program (passes of an effect, or pairs with
 * --shared-vp or --shared-fp). */
#ifndef FPMOVE_JOB_H
#define FPMOVE_JOB_H

#include "pipeline.h"

/* Runs that are planned together; run_init must have prepared each.  Several runs share a program, which stays one program. */
struct job {
	struct run *runs;
	uint32_t n;
	/* The number of further runs, behind the first n in `runs`: their vertex programs are among those of the n, and their pixel programs stay. */
	uint32_t staying;
	bool same_vs;     /* with several runs: they share the vertex program if it is set, else the pixel program */
	bool proves_later; /* job_run() leaves it to the caller to prove the `staying` runs with the new vertex programs */
	/* Called now and then while several runs are planned; the allowance tells how much work is left.  If it returns false, the job stops. */
	bool (*tell)(void *who, const struct allowance *);
	void *who;
};

/* Takes all runs through the pipeline, except those that have an error already.  Several runs that are done share their new program, which is
 * proven for each; unless `proves_later`, the new vertex programs are also proven with the pixel programs of the `staying` runs.  Runs that
 * are rejected, for their input or since they do not fit their models, are left out.  If one fails by a fault of fpmove, all others are
 * rejected.  Returns false if `tell` returned false: then no run is done. */
bool job_run(const struct job *);

#endif
