/* Workloads over a list of sizes. */
#ifndef FPMOVE_GPU_SERIES_H
#define FPMOVE_GPU_SERIES_H

#include "gpu/output.h"

/* Measures all tasks, those of one form over all sizes of the options: a table for each form, and --plot.  Returns the worst exit
 * status. */
int series_run(struct arena *, const struct context *, const struct gpu_options *, const struct tasks *, struct gpu_output *);

#endif
