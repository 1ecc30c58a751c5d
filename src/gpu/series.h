/* Measures workloads over a list of sizes. */
#ifndef FPMOVE_GPU_SERIES_H
#define FPMOVE_GPU_SERIES_H

#include "gpu/output.h"

/* Measures all tasks, which hold each form in all sizes of the options.  Prints a table for each form, and draws --plot.  Returns the worst
 * exit status. */
int series_run(struct arena *, const struct context *, const struct gpu_options *, const struct tasks *, struct gpu_output *);

#endif
