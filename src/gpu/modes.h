/* What each mode of fpmove-gpu does, from options to exit status; all of them print. */
#ifndef FPMOVE_GPU_MODES_H
#define FPMOVE_GPU_MODES_H

#include "gpu/options.h"
#include "gpu/output.h"
#include "gpu/run.h"

/* Pairs of programs before and after moving, or two pairs. */
int time_main(struct arena *, const struct context *, const struct gpu_options *);
/* Workloads before and after moving. */
int run_main(struct arena *, const struct context *, const struct gpu_options *);
/* Workloads as run_main does, and what models predict of them. */
int predict_main(struct arena *, const struct context *, const struct gpu_options *);
/* A target for the GPU here. */
int calibrate_main(struct arena *, const struct context *, const struct gpu_options *);
/* The devices there are and, where `why` is NULL, what the one of the context can do, and what the options ask for besides; else why it
 * could not be opened. */
int info_main(struct arena *, const struct context *, const struct gpu_options *, const char *why);

/* What a session compares: programs as given, and moved at each level of the options. */
void list_variants(struct arena *, const struct gpu_options *, struct session *);
/* Measures a task's session, of which workload and what is wanted are set, and keeps lines and object of it; adds the picture of
 * --png.  NULL, or one sentence on what is wrong; session_close must follow either way. */
const char *session_measure(struct arena *, const struct context *, const struct gpu_options *, struct session *, struct gpu_output *);
/* What was computed, and on what. */
void print_head(const struct session *, const struct context *, struct text *);
/* Does all tasks by `run`, whose value is an exit status, in an arena of its own; the value is the worst one. */
typedef int task_command(struct arena *, const struct context *, const struct gpu_options *, const struct task *, struct gpu_output *);
int do_tasks(struct arena *, const struct context *, const struct gpu_options *, const struct tasks *,
             task_command *run, struct gpu_output *);

#endif
