/* Measures workloads by the options, and writes them as CSV and JSON. */
#ifndef FPMOVE_GPU_RUN_REPORT_H
#define FPMOVE_GPU_RUN_REPORT_H

#include "gpu/output.h"
#include "gpu/run.h"
#include "gpu/stages.h"

/* Lists the variants of a session (the measurement of one workload): programs as given, and moved at each level of the options. */
void list_variants(struct arena *, const struct gpu_options *, struct session *);
/* Measures a session whose workload and `wanted` are set: lists its variants, runs them, adds its CSV lines and JSON object to the output, and
 * writes the picture of --png.  Returns NULL, or one sentence on what is wrong; session_close must follow either way. */
const char *session_measure(struct arena *, const struct context *, const struct gpu_options *, struct session *, struct gpu_output *);
/* The head line of the CSV file of run. */
extern const char session_csv_columns[];
/* Returns the ratio of a variant's GPU time to that of the workload as given. */
struct ratio variant_ratio(struct arena *, const struct session *, const struct variant *);
/* Returns the figures of each variant of a measured session, in an array. */
const struct stage_figures *run_stages(struct arena *, const struct session *);

#endif
