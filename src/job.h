/* The one driver of runs: of a pair, of a pass or of a group of passes of an effect, of pairs with --shared-vp or --shared-fp. */
#ifndef FPMOVE_JOB_H
#define FPMOVE_JOB_H

#include "pipeline.h"

/* Runs that are planned together, each given to run_init.  Several have a program in common and keep having it. */
struct job {
	struct run *runs;
	uint32_t n;
	uint32_t staying; /* runs behind those n, with vertex programs of theirs, and with pixel programs that stay as they are */
	bool same_vs;     /* of several: the vertex program is what they have in common, else the pixel program */
	bool proves_later; /* the caller proves what the new vertex programs have for `staying` */
	/* Told while several are planned, which takes seconds at most, however many they are (see struct allowance).  False stops that. */
	bool (*tell)(void *who, const struct allowance *);
	void *who;
};

/* Takes all runs through the pipeline, but those with an error already.  Afterwards the done ones of several have the same new
 * program, proven for each, and what the new vertex programs have for `staying` is proven, too, but for `proves_later`.  Runs that are rejected, be it for their
 * input or since they do not come to fit, are left out; if one fails, none is done.  Returns false if `tell` did: nothing is done. */
bool job_run(const struct job *);

#endif
