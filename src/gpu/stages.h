/* Stages of a workload or a pair: one version for each number of moved instructions, as the method's paper measures them. */
#ifndef FPMOVE_GPU_STAGES_H
#define FPMOVE_GPU_STAGES_H

#include "gpu/options.h"
#include "gpu/stats.h"

enum { STAGES_MOST = 256 };

/* Returns how many instructions of `of`, a workload or pair, move under a plan. */
typedef unsigned stages_count(struct arena *, const void *of, const struct run_options *plan);
/* Finds plans by the method of -O1 that move at most 1, 2, 3 ... instructions out of each program, until all that can move does.  Leaves out
 * plans that move as many in all as the plan before.  Returns the number of plans, and sets `plan` and `moved` (the instructions that each plan
 * moves), which have room for STAGES_MOST. */
unsigned stages_find(struct arena *, const struct gpu_options *, stages_count *, const void *of, const struct run_options **plan,
                     unsigned *moved);
/* Returns how many instructions a finished run moved; 0 if it is NULL or has no plan. */
static inline unsigned stages_moved(const struct run *r)
{
	return r && r->moved ? r->moved->moved : 0;
}

/* Runs a pair again under a plan, and returns how many instructions moved. */
unsigned stages_moved_under(struct arena *, const struct run *as_given, const struct run_options *plan);

/* The figures of a stage (a version by its number of moved instructions); numbers that were not measured are NAN. */
struct stage_figures {
	unsigned moved, vs, ps;                 /* moved instructions; slots of all VPs and of all FPs */
	struct quartiles ns;                    /* t, the GPU time of a computation or draw */
	struct ratio ratio;                     /* t/t0, where t0 is the t of the first stage */
	double whole_ns, whole_ratio, back_ns;  /* T, the time with transfers; T/T0, as for t; the part of T for the transfer back */
	double gflops, published;               /* GFLOPS by our count of operations, and by the paper's */
};
/* Prints a table, with the columns of T if the first stage has T. */
void stages_print(const struct stage_figures *, unsigned n, struct text *);
/* Draws times, slots and GFLOPS over moved instructions.  Returns NULL, or a sentence on why the file cannot be written. */
const char *stages_plot(struct arena *, const char *path, const char *title, const struct stage_figures *, unsigned n);

#endif
