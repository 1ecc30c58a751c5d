/* Runs the modes for many pairs: --batch and --pairs, which move them, and --merge-reports, which joins reports. */
#ifndef FPMOVE_CLI_BATCH_H
#define FPMOVE_CLI_BATCH_H

#include "cli/options.h"

/* Runs MODE_BATCH: moves all pairs of a folder, a list or a table.  Returns the worst exit status of all pairs. */
int move_batch(struct arena *, const struct options *);
/* Runs MODE_MERGE: joins the reports of runs with --shard into the report of a whole run.  Returns the exit status. */
int merge_reports(struct arena *, const struct options *);

#endif
