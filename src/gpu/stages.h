/* Workloads with one version for each number of moved instructions, as the method's paper measures them. */
#ifndef FPMOVE_GPU_STAGES_H
#define FPMOVE_GPU_STAGES_H

#include "gpu/options.h"
#include "gpu/run.h"
#include "gpu/stats.h"

/* The session's versions: as given, and with up to 1, 2, ... instructions moved out of each of its programs by the method of
 * -O1, as far as that moves more.  NULL, or one sentence on why the workload cannot be opened. */
const char *stages_list(struct arena *, const struct context *, const struct gpu_options *, struct session *);
/* Of a measured session: moved instructions, slots and times. */
void stages_print(const struct session *, struct text *);
/* The same as a picture, in SVG, which follows the viewer's light or dark colours.  NULL, or why it cannot be written. */
const char *stages_plot(struct arena *, const char *path, const struct context *, const struct session *);

#endif
