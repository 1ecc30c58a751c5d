/* Writes a measured workload as CSV and JSON. */
#ifndef FPMOVE_GPU_RUN_REPORT_H
#define FPMOVE_GPU_RUN_REPORT_H

#include "gpu/output.h"
#include "gpu/run.h"

/* The head of the spreadsheet. */
extern const char session_csv_columns[];
/* Adds a line for each variant. */
void session_add_csv(struct arena *, const struct session *, struct text *csv);
/* Returns a new object. */
json_t *session_json(struct arena *, const struct session *);

#endif
