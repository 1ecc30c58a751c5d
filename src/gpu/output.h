/* Prints and writes the results of modes: text for people, CSV for spreadsheets, JSON for scripts (report.schema.json). */
#ifndef FPMOVE_GPU_OUTPUT_H
#define FPMOVE_GPU_OUTPUT_H

#include "cli/json.h"
#include "gpu/options.h"
#include "gpu/stats.h"

/* Results that a mode has collected so far. */
struct gpu_output {
	const struct gpu_options *options;
	struct text csv;
	json_t *list;  /* an array, or NULL if no JSON is wanted */
};

void output_begin(struct arena *, const struct gpu_options *, struct gpu_output *, const char *csv_head);
/* Prints a table to standard output, or nothing if an output file goes there.  Returns false after a message if it cannot be written. */
bool output_table(const struct gpu_output *, struct text *);
/* Writes the files of --csv and --json; `name` is the key of the list in the JSON.  Returns `status`, or EXIT_USAGE after a message if writing
 * fails. */
int output_end(struct arena *, struct gpu_output *, const struct context *, const char *name, int status);

/* Prints a note on standard error if the device is a CPU. */
void note_software(const struct context *);

/* Writes the median of a ratio and its interval, like "0.795 (0.793 to 0.797)". */
void output_ratio(struct text *, const struct ratio *);
/* Returns true if the ratio's interval, rounded to the three digits that are printed, contains 1: then no difference is proven. */
static inline bool ratio_is_none(const struct ratio *r)
{
	return r->low < 1.0005 && r->high >= 0.9995;
}

#endif
