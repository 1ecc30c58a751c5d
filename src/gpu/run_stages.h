/* Workloads in stages, see stages.h. */
#ifndef FPMOVE_GPU_RUN_STAGES_H
#define FPMOVE_GPU_RUN_STAGES_H

#include "gpu/run.h"
#include "gpu/stages.h"

/* Lists the session's versions: as given, and all stages.  NULL, or one sentence on why the workload cannot be opened. */
const char *run_stages_list(struct arena *, const struct context *, const struct gpu_options *, struct session *);
/* Returns a stage for each version of a measured session. */
const struct milestone *run_stages(struct arena *, const struct session *);
/* Returns the stage of one version. */
struct milestone run_stage(struct arena *, const struct session *, const struct variant *);

#endif
