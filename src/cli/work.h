/* The work on one unit of a batch: a pair, or several that share a program. */
#ifndef FPMOVE_CLI_WORK_H
#define FPMOVE_CLI_WORK_H

#include "cli/collect.h"

#include <sys/stat.h>

/* What came out of a unit.  All of it lies in the arena. */
struct slot {
	struct arena arena;
	struct run *runs; /* of its pairs */
	uint32_t n;
	struct text said, shown, report, csv, html, preshader; /* elements parted by ",\n" where the file wants that */
	int status;       /* the worst */
	unsigned skipped; /* pairs that --newer left out */
	bool counted;     /* the runs count in the totals: they were made, or reports want them */
	bool done;        /* the batch's, under its lock */
};

extern const char csv_head[];

/* Works on `n` pairs.  `since`: when the outputs' options became what they are, or NULL. */
void work_on(struct slot *, const struct options *, const struct batch_pair *, uint32_t n, const struct stat *since);

#endif
