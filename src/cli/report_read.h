/* Reads reports back, for --compare and --merge-reports. */
#ifndef FPMOVE_CLI_REPORT_READ_H
#define FPMOVE_CLI_REPORT_READ_H

#include "base/arena.h"

#include <jansson.h>
#include <stdbool.h>

/* Returns a report of schema 1 that has totals, and a status and slots in each pair; the caller frees it with json_decref().  "-" is
 * standard input.  Returns NULL if the file is no such report; `*why` names the file and says why. */
json_t *report_read(struct arena *, const char *path, const char **why);
/* Returns true if the JSON is a list of two counts, [before, after], each at most UINT32_MAX, so that their sums do not overflow. */
bool report_two_counts(const json_t *);
/* Return the file name of a pair's program of stage "vs" or "ps" ("" if it has none), and the pair's status. */
const char *report_pair_file(const json_t *pair, const char *stage);
const char *report_pair_status(const json_t *pair);

/* Keys of the counts in `totals`: "pairs", then one for each status of a pair. */
enum { REPORT_COUNTS = 5 };
extern const char *const report_counts[REPORT_COUNTS];

#endif
