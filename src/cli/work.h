/* The work on one unit of a batch: a pair, or several that share a program. */
#ifndef FPMOVE_CLI_WORK_H
#define FPMOVE_CLI_WORK_H

#include "base/profile.h"
#include "cli/collect.h"
#include "cli/record.h"
#include "cli/report.h"

#include <stdatomic.h>

/* Results of a unit of a batch, all in its arena. */
struct slot {
	struct arena arena;
	struct text said, shown;                  /* the unit's messages, and its tables and lines */
	struct text report, csv, html, preshader; /* the unit's part of each report of the batch */
	struct text trouble; /* a line for each pair that was rejected or failed */
	unsigned shorter;    /* number of pairs whose FP could be shorter or cheaper, with --check-moves */
	unsigned untold;     /* number of pairs with constants to set that no output lists; 0 if warnings tell of them */
	struct totals totals; /* totals of the unit's pairs; pairs that --newer skips count only if a report has them */
	struct profile *profile; /* with --verbose the times of passes of all its pairs, else NULL */
	int status;       /* worst exit status of its pairs */
	unsigned skipped; /* number of pairs that are up to date, with --newer */
	bool clash;       /* true if a report of the batch would replace a file that was read */
	bool no_memory;   /* true if memory ran out; then only `status` is set as well */
};

/* Fields by which other threads watch, and may stop, the thread that works on a unit. */
struct watch {
	atomic_bool stop;  /* set to end the work */
	atomic_uint pairs; /* progress: the part of the unit's work that is done, as a number of its pairs */
};

/* Reads, moves, proves and writes a unit of the batch, and fills the slot with its results.  Takes memory for the work from `scratch`.  The
 * record is NULL without --newer. */
void work_on(struct slot *, struct arena *scratch, const struct options *, const struct batch_unit *, const struct record *, struct watch *);

#endif
