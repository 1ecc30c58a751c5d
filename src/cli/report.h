/* The JSON report. */
#ifndef FPMOVE_CLI_REPORT_H
#define FPMOVE_CLI_REPORT_H

#include "cli/hint_sums.h"
#include "effects.h"

#include <jansson.h>

/* A string, whatever its bytes. */
json_t *report_string(struct arena *, const char *);
/* A file's name, from which the file is found again: in one that is not UTF-8, a byte from 0x80 on is U+EF00 and the byte. */
json_t *report_name(struct arena *, const char *);
/* The same as JSON text, with its quotes. */
void report_quote(struct text *, const char *);
/* The `pairs` element of one run. */
json_t *report_pair(const struct run *);
/* The same of an effect with that status, by the sum of its pairs; and its key `passes`, their elements. */
json_t *report_effect(const struct effect_job *, enum run_status);
/* Its key `lines`: what became of each line of the given pixel program. */
json_t *report_lines(const struct run *);
/* What many reports add up to. */
struct totals {
	unsigned pairs, improved, unchanged, rejected, failed;
	unsigned long ps_slots[2], vs_slots[2];
	struct hint_sums hints;
};
void totals_add(struct totals *, const struct run *);
void totals_join(struct totals *, const struct totals *);
json_t *report_totals(const struct totals *);
/* The options, beside level and target, that decide what is written: as they were given, in their order. */
json_t *report_options(struct arena *, const char *const *given, uint32_t n);
/* The whole report; takes over `pairs` and `options`, arrays. */
json_t *report_whole(json_t *pairs, const struct totals *, const struct run_options *, json_t *options);
/* One `pairs` element on one line, without a line end.  Takes it over, as report_text does. */
void report_line(struct text *, json_t *pair);
/* As text with a newline. */
void report_text(struct text *, json_t *);
/* Once, before any JSON is made: from then on the text's arena fails where there was no memory for all of it. */
void report_begin(void);

#endif
