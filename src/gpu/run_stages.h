/* Measures workloads in stages: one version for each number of moved instructions, see stages.h. */
#ifndef FPMOVE_GPU_RUN_STAGES_H
#define FPMOVE_GPU_RUN_STAGES_H

#include "gpu/run.h"
#include "gpu/stages.h"

/* Returns the ratio of a variant's GPU time to that of the workload as given. */
struct ratio variant_ratio(struct arena *, const struct session *, const struct variant *);

/* Lists the session's variants: as given, and one for each stage.  Returns NULL, or one sentence on why the workload cannot be opened. */
const char *run_stages_list(struct arena *, const struct context *, const struct gpu_options *, struct session *);
/* Returns a stage for each variant of a measured session. */
const struct milestone *run_stages(struct arena *, const struct session *);
/* Returns the stage of one variant. */
struct milestone run_stage(struct arena *, const struct session *, const struct variant *);

#endif
