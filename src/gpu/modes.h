/* What each mode of fpmove-gpu does, from options to exit status; all of them print. */
#ifndef FPMOVE_GPU_MODES_H
#define FPMOVE_GPU_MODES_H

#include "gpu/options.h"

/* Workloads before and after moving. */
int run_main(struct arena *, const struct context *, const struct gpu_options *);
/* The devices there are and, where `why` is NULL, what the one of the context can do; else why it could not be opened. */
int info_main(struct arena *, const struct context *, const char *why);

#endif
