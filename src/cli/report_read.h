/* Reading reports back, for what compares and joins them. */
#ifndef FPMOVE_CLI_REPORT_READ_H
#define FPMOVE_CLI_REPORT_READ_H

#include "base/arena.h"

#include <jansson.h>
#include <stdbool.h>

/* A report of this schema, whose totals are there and whose pairs all have a status and slots; to be freed with
 * json_decref.  "-" is standard input.  NULL: `*why` names the file. */
json_t *report_read(struct arena *, const char *path, const char **why);
/* Is it a pair [before, after] of counts?  They are so small that sums of them never come near the end of the integers. */
bool report_two_counts(const json_t *);
/* The name of a pair's program, of the stage "vs" or "ps", "" if it has none; and its status. */
const char *report_pair_file(const json_t *pair, const char *stage);
const char *report_pair_status(const json_t *pair);

/* What a pair may have become, in `totals` behind "pairs". */
enum { REPORT_COUNTS = 5 };
extern const char *const report_counts[REPORT_COUNTS];

#endif
