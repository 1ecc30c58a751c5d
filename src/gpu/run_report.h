/* What is written of a measured workload. */
#ifndef FPMOVE_GPU_RUN_REPORT_H
#define FPMOVE_GPU_RUN_REPORT_H

#include "gpu/output.h"
#include "gpu/run.h"

/* Returns a version's GPU time to that as given. */
struct ratio variant_ratio(struct arena *, const struct session *, const struct variant *);

/* The head of the spreadsheet, and a line for each version. */
extern const char session_csv_columns[];
void session_add_csv(struct arena *, const struct session *, struct text *csv);
/* Returns a new object. */
json_t *session_json(struct arena *, const struct session *);

#endif
