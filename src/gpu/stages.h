/* Stages: one version for each number of moved instructions, as the method's paper measures them, of a workload or a pair. */
#ifndef FPMOVE_GPU_STAGES_H
#define FPMOVE_GPU_STAGES_H

#include "gpu/options.h"
#include "gpu/stats.h"

enum { STAGES_MOST = 256 };

/* Returns how many instructions move under a plan. */
typedef unsigned stages_count(struct arena *, const void *of, const struct run_options *plan);
/* Plans by the method of -O1 that move up to 1, 2, ... instructions out of each program, as far as that moves more; none moves
 * nothing.  Returns how many there are; `plan` and `moved` have room for STAGES_MOST. */
unsigned stages_find(struct arena *, const struct gpu_options *, stages_count *, const void *of, const struct run_options **plan,
                     unsigned *moved);
static inline unsigned stages_moved(const struct run *r)
{
	return r && r->moved ? r->moved->moved : 0;
}

/* A measured stage; what was not measured is NAN. */
struct milestone {
	unsigned moved, vs, ps;                 /* instructions, and slots of all programs */
	struct quartiles ns;                    /* t: on the GPU */
	struct ratio ratio;                     /* t/t0 */
	double whole_ns, whole_ratio, back_ns;  /* T, with transfers; T/T0; of T, the transfer back */
	double gflops, published;               /* by our count of operations, and by the paper's */
};
/* Prints a table, with the columns of T where the first stage has T. */
void stages_print(const struct milestone *, unsigned n, struct text *);
/* Draws times, slots and GFLOPS over moved instructions.  NULL, or why the file cannot be written. */
const char *stages_plot(struct arena *, const char *path, const char *title, const struct milestone *, unsigned n);

#endif
