/* Writes a measured workload as CSV and JSON. */
#ifndef FPMOVE_GPU_RUN_REPORT_H
#define FPMOVE_GPU_RUN_REPORT_H

#include "gpu/output.h"
#include "gpu/run.h"

/* The head line of the CSV file of run. */
extern const char session_csv_columns[];
/* Adds a CSV line for each variant of the session. */
void session_add_csv(struct arena *, const struct session *, struct text *csv);
/* Returns the session as a new JSON object. */
json_t *session_json(struct arena *, const struct session *);

#endif
