/* Files that are replaced together, so that a process killed in between leaves nothing half done for long. */
#ifndef FPMOVE_CLI_JOURNAL_H
#define FPMOVE_CLI_JOURNAL_H

#include "base/arena.h"

#include <stdbool.h>

/* A file that is to be replaced: `temp`, in the same folder and whole, becomes `target`. */
struct journal_entry {
	const char *temp, *target;
};

/* One for each folder that entries are in; the first entry's is written last. */
struct journal {
	struct { VEC(const char *); } paths;
	struct { VEC(int); } fds; /* that hold their locks */
};

/* Says what is about to be renamed, in this order.  False: errno says why, and nothing is to be renamed. */
bool journal_begin(struct arena *, struct journal *, const struct journal_entry *, uint32_t n);
/* All was renamed, or put back. */
void journal_end(struct journal *);

/* Finishes what killed processes began in a folder, or undoes it.  False: another is still at it, or that cannot be
 * told, where a file system has no locks. */
bool journal_mend(struct arena *, const char *folder);

#endif
