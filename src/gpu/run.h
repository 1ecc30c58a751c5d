/* Workloads, before and after fpmove, measured in turns. */
#ifndef FPMOVE_GPU_RUN_H
#define FPMOVE_GPU_RUN_H

#include "gpu/workload.h"

/* A workload's kernels as given, or moved in some way; what was measured of them. */
struct variant {
	const char *name;               /* "as given", "-O2" */
	const struct run_options *plan; /* NULL: as given */
	struct lab lab;
	struct record record;           /* of one computation */
	struct record moved;            /* of what all others brought to the GPU and back: no passes */
	void *state;
	double *gpu_ns;                 /* `samples` of them: of all passes, as the GPU measures it */
	double *whole_ns;               /* likewise: from the CPU's memory and back, by a clock on the wall */
	double upload_ns, download_ns;  /* medians; of these, what is not the workload's own work on the CPU: */
	double write_ns, read_ns;
	struct finding finding;
};

/* The same work on the CPU, once, in single precision and plain C, on one core. */
struct cpu_time {
	bool measured;
	double ns;              /* median of some times */
	struct finding finding; /* of its results, by the workload's own check */
	const char *left_out;   /* a sentence on why it was not measured though there is such code; NULL if there is no such reason */
};

struct session {
	const struct workload *workload;
	struct wanted wanted;
	unsigned samples;
	bool check;           /* results, and time the CPU */
	struct cpu_time cpu;
	unsigned nvariants;
	struct variant *variant;
};

/* Opens, measures and checks all variants, in turns; `seconds` is about how long that may take.  NULL, or one sentence in the
 * arena on what is wrong.  What the variants hold stays open until session_close. */
const char *session_run(struct arena *, const struct context *, struct session *, double seconds);
void session_close(struct session *);

#endif
