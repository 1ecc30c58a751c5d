/* Many pairs at once, and what is joined afterwards. */
#ifndef FPMOVE_CLI_BATCH_H
#define FPMOVE_CLI_BATCH_H

#include "cli/options.h"

/* MODE_BATCH; the worst exit status of all pairs. */
int move_batch(struct arena *, const struct options *);
/* MODE_MERGE: joins the reports of --shard runs into the one of a whole run. */
int merge_reports(struct arena *, const struct options *);

#endif
