/* Files that are replaced together, so that a process killed in between leaves nothing half done for long. */
#ifndef FPMOVE_CLI_JOURNAL_H
#define FPMOVE_CLI_JOURNAL_H

#include "base/arena.h"
#include "cli/options.h"

#include <stdbool.h>

/* One set of such files. */
struct journal {
	const char *id;     /* of our own names; NULL: each file stands for itself */
	uint64_t mark;      /* of the file that is renamed first */
	unsigned places;    /* that were given out */
	struct names links; /* between the folders */
};

/* The set's first file, by the path where it is to be and its bytes. */
void journal_begin(struct arena *, struct journal *, const char *target, const char *text, size_t n);
/* The name under which the set's next file waits beside `target`; NULL: the system has no names so long. */
char *journal_name(struct arena *, struct journal *, const char *target);
/* All wait.  From now on they may be renamed, in the order of their names. */
void journal_ready(struct arena *, struct journal *, const struct names *paths);
/* All were renamed, or none waits any more. */
void journal_end(struct journal *);

/* Finishes what killed processes began in a folder, or removes what they had not begun with.  False: another is still at
 * it, it cannot be told, or it cannot be done; `*why`. */
bool journal_mend(struct arena *, const char *folder, const char **why);

#endif
