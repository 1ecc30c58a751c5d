/* The modes of fpmove-gpu: each takes the options, prints, and returns the exit status. */
#ifndef FPMOVE_GPU_MODES_H
#define FPMOVE_GPU_MODES_H

#include "gpu/options.h"
#include "gpu/output.h"
#include "gpu/run.h"

/* Times pairs of programs before and after moving, or two pairs. */
int time_main(struct arena *, const struct context *, const struct gpu_options *);
/* Times workloads before and after moving. */
int run_main(struct arena *, const struct context *, const struct gpu_options *);
/* Times workloads or a pair, and prints the times that models predict beside them; with --reads, predicts for a program that does not exist. */
int predict_main(struct arena *, const struct context *, const struct gpu_options *);
/* Measures a target (a cost profile) for the GPU here. */
int calibrate_main(struct arena *, const struct context *, const struct gpu_options *);
/* Lists the devices.  If `why` is NULL, also prints what the context's device can do, and measures what the options ask for; otherwise `why`
 * says why no context could be opened. */
int info_main(struct arena *, const struct context *, const struct gpu_options *, const char *why);

/* Adds the head of a table to the text: what was computed, and on which device. */
void print_head(const struct session *, const struct context *, struct text *);
typedef int task_command(struct arena *, const struct context *, const struct gpu_options *, const struct task *, struct gpu_output *);
/* Calls `run` for each task, each time in an arena of its own, and returns the worst of the exit statuses of these calls. */
int do_tasks(struct arena *, const struct context *, const struct gpu_options *, const struct tasks *,
             task_command *run, struct gpu_output *);

#endif
