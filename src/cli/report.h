/* The JSON report. */
#ifndef FPMOVE_CLI_REPORT_H
#define FPMOVE_CLI_REPORT_H

#include "cli/hint_sums.h"
#include "cli/json.h"
#include "effects.h"

/* Returns the name of a status in reports and tables. */
const char *report_status(enum run_status);
/* Returns the element of `pairs` for one run. */
json_t *report_pair(const struct run *);
/* Returns the element of `pairs` for an effect with that status: the sums of its pairs, and a key `passes` with an element for each of
 * them. */
json_t *report_effect(const struct effect_job *, enum run_status);
/* Counts and sums of many pairs. */
struct totals {
	unsigned pairs, improved, unchanged, rejected, failed;
	unsigned long ps_slots[2], vs_slots[2];
	struct hint_sums hints;
};
void totals_add(struct totals *, const struct run *);
void totals_join(struct totals *, const struct totals *);
json_t *report_totals(const struct totals *);
/* Returns the whole report; frees `pairs` and `options`, which are arrays, with it. */
json_t *report_whole(json_t *pairs, const struct totals *, const struct run_options *, json_t *options);

#endif
