/* The JSON report. */
#ifndef FPMOVE_CLI_REPORT_H
#define FPMOVE_CLI_REPORT_H

#include "cli/hint_sums.h"
#include "effects.h"

#include <jansson.h>

/* Returns a JSON string; if the bytes are no UTF-8, they are taken for Latin-1. */
json_t *report_string(struct arena *, const char *);
/* Returns a file's name as a JSON string from which the file can be found again: in a name that is no UTF-8, U+EF00 + b stands for a byte
 * b from 0x80 on. */
json_t *report_name(struct arena *, const char *);
/* Writes the JSON text of report_string(), with its quotes. */
void report_quote(struct text *, const char *);
/* Returns the element of `pairs` for one run. */
json_t *report_pair(const struct run *);
/* Returns the element of `pairs` for an effect with that status: the sums of its pairs, and a key `passes` with an element for each of
 * them. */
json_t *report_effect(const struct effect_job *, enum run_status);
/* Returns the key `lines` of such an element: what became of each line of the given pixel program. */
json_t *report_lines(const struct run *);
/* Counts and sums of many pairs. */
struct totals {
	unsigned pairs, improved, unchanged, rejected, failed;
	unsigned long ps_slots[2], vs_slots[2];
	struct hint_sums hints;
};
void totals_add(struct totals *, const struct run *);
void totals_join(struct totals *, const struct totals *);
json_t *report_totals(const struct totals *);
/* Returns a list of the options, beside level and target, that decide about the outputs: as they were given, in their order. */
json_t *report_options(struct arena *, const char *const *given, uint32_t n);
/* Returns the whole report; frees `pairs` and `options`, which are arrays, with it. */
json_t *report_whole(json_t *pairs, const struct totals *, const struct run_options *, json_t *options);
/* Writes an element of `pairs` on one line, without a line end, and frees it. */
void report_line(struct text *, json_t *pair);
/* Writes JSON indented, with a line end, and frees it. */
void report_text(struct text *, json_t *);
/* To be called once, before any JSON is made.  From then on report_line() and report_text() fail by their text's arena if there was not
 * enough memory to make the JSON. */
void report_begin(void);

#endif
