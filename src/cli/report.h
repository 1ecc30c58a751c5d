/* Makes the JSON report of --report. */
#ifndef FPMOVE_CLI_REPORT_H
#define FPMOVE_CLI_REPORT_H

#include "cli/hint_sums.h"
#include "cli/json.h"
#include "effects.h"

/* Returns the name of a status in reports and tables. */
const char *report_status(enum run_status);
/* Returns the JSON object of one pair, an element of the report's list `pairs`. */
json_t *report_pair(const struct run *);
/* Returns the JSON object of an effect with that status, an element of the report's list `pairs`: the sums over its pairs, and a key `passes`
 * with an object for each pair. */
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
/* Returns the whole report.  The arrays `pairs` and `options` become part of it, so that freeing it frees them. */
json_t *report_whole(json_t *pairs, const struct totals *, const struct run_options *, json_t *options);

#endif
