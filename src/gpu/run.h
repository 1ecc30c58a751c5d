/* Measures the variants of a workload, before and after fpmove, in turns. */
#ifndef FPMOVE_GPU_RUN_H
#define FPMOVE_GPU_RUN_H

#include "gpu/workload.h"

/* A workload's kernels as given or moved at some level, and their measurements. */
struct variant {
	const char *name;               /* "as given" or a level like "-O2" */
	const struct run_options *plan; /* options of moving; NULL for the kernels as given */
	struct lab lab;
	struct record record;           /* passes and transfers of the one computation that is recorded */
	struct record moved;            /* the sum of uploads and downloads of all other computations; it holds no passes */
	double *gpu_ns;                 /* `samples` times of all passes, by the GPU's clock */
	double *whole_ns;               /* `samples` times from upload to download, by the wall clock */
	double upload_ns, download_ns;  /* median times of lab_upload, and of lab_download with `unpack` */
	double write_ns, read_ns;       /* of these two times, the parts in pass_write and pass_read */
	struct finding finding;
};

/* The time and the check of the same computation on one core of the CPU, in single precision and plain C. */
struct cpu_time {
	bool measured;
	double ns;              /* median time of a computation */
	struct finding finding; /* result of the workload's check */
	const char *left_out;   /* a sentence on why the CPU was not measured; NULL if it was, or if there is no code for it */
};

struct session {
	const struct workload *workload;
	struct wanted wanted;
	unsigned samples;
	bool check;           /* true to check the results and time the CPU */
	struct cpu_time cpu;
	unsigned nvariants;
	struct variant *variant;
};

/* Opens all variants, measures them in turns within about `seconds`, and checks their results if `check` is set.  Returns NULL, or one sentence
 * in the arena on what is wrong.  The variants stay open until session_close. */
const char *session_run(struct arena *, const struct context *, struct session *, double seconds);
void session_close(struct session *);

#endif
