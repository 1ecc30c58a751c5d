/* The work on one unit of a batch: a pair, or several that share a program. */
#ifndef FPMOVE_CLI_WORK_H
#define FPMOVE_CLI_WORK_H

#include "base/profile.h"
#include "cli/collect.h"
#include "cli/record.h"
#include "cli/report.h"

#include <stdatomic.h>

/* Results of a unit, all in its arena. */
struct slot {
	struct arena arena;
	struct text said, shown, report, csv, html, preshader; /* elements separated by ",\n" if the file wants that */
	struct text trouble; /* a line for each pair that is not done */
	unsigned shorter;    /* pairs that --check-moves names */
	unsigned untold;     /* pairs for which the application must set constants that nothing tells it of, where lines stand for warnings of them */
	struct totals totals; /* of the pairs that were made, and of all of them if reports want them */
	struct profile *profile; /* --verbose: of all its pairs; else NULL */
	int status;       /* the worst */
	unsigned skipped; /* pairs that --newer left out */
	bool clash;       /* a report of the batch would replace what was read */
	bool no_memory;   /* nothing else of the unit is known */
	bool stopped;     /* before it was done: nothing of it was written */
};

/* Messages between the thread that waits for a unit and the one that works on it. */
struct watch {
	atomic_bool stop;  /* set to end the work */
	atomic_uint pairs; /* pairs of the unit that the work done so far amounts to */
};

/* Works on a unit of the batch in the arena `scratch`; the record is NULL without --newer. */
void work_on(struct slot *, struct arena *scratch, const struct options *, const struct batch_pair *, const struct batch_unit *,
             const struct record *, struct watch *);

#endif
