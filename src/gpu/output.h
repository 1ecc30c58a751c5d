/* What modes print and write: text for people, CSV for spreadsheets, JSON for scripts (report.schema.json). */
#ifndef FPMOVE_GPU_OUTPUT_H
#define FPMOVE_GPU_OUTPUT_H

#include "cli/report.h"
#include "gpu/options.h"
#include "gpu/stats.h"

/* All that a mode has to say, as it comes. */
struct gpu_output {
	const struct gpu_options *options;
	struct text csv;
	json_t *list;  /* an array; NULL: no JSON is wanted */
};

void output_begin(struct arena *, const struct gpu_options *, struct gpu_output *, const char *csv_head);
/* A table to standard output, unless a file goes there.  False, said: it cannot be written. */
bool output_table(const struct gpu_output *, struct text *);
/* Writes --csv and --json, whose list has that name.  The worst of `status` and GPU_USAGE, said, where that fails. */
int output_end(struct arena *, struct gpu_output *, const struct context *, const char *name, int status);

/* Says on standard error if a CPU draws. */
void note_software(const struct context *);

/* Of times in ns: {"low": , "median": , "high": }; and [low, median, high]. */
json_t *json_quartiles(const struct quartiles *);
json_t *json_ratio(const struct ratio *);
/* A number, or null for what JSON cannot say. */
json_t *json_number(double);
/* n times; they stay as they are. */
struct quartiles output_quartiles(struct arena *, const double *values, size_t n);
/* "0.795 (0.793 to 0.797)" */
void output_ratio(struct text *, const struct ratio *);
/* Does the interval hold 1, to the three digits that are printed? */
static inline bool ratio_is_none(const struct ratio *r)
{
	return r->low < 1.0005 && r->high >= 0.9995;
}

#endif
