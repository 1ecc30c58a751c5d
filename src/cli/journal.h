/* Replaces several files together: if a process is killed between them, the next run finishes the set or undoes it. */
#ifndef FPMOVE_CLI_JOURNAL_H
#define FPMOVE_CLI_JOURNAL_H

#include "base/arena.h"
#include "cli/options.h"

#include <stdbool.h>

/* A set of files that are replaced together. */
struct journal {
	const char *id;     /* begins the temporary names of the set; NULL if each file is replaced by itself */
	uint64_t mark;      /* hash of the file that is renamed first */
	unsigned places;    /* number of temporary names given out so far */
	struct names links; /* symbolic links that lead from folder to folder of the set */
};

/* Begins a set with the file that is renamed first, given by its final path and its bytes. */
void journal_begin(struct arena *, struct journal *, const char *target, const char *text, size_t n);
/* Returns the temporary name of the set's next file, beside `target`, or NULL if it would be longer than the system allows. */
char *journal_name(struct arena *, struct journal *, const char *target);
/* Links the folders of the set.  To be called when all new files are written under their temporary names; then they may be renamed, in the
 * order in which journal_name() was called. */
void journal_ready(struct arena *, struct journal *, const struct names *paths);
/* Removes the links, when all files were renamed or all temporary ones removed. */
void journal_end(struct journal *);

/* Finishes the sets of killed processes in a folder if their first file was renamed, else removes their temporary files.  Returns false,
 * and the reason in `*why`, if another process still holds their locks, if that cannot be found out, or if a file cannot be renamed or
 * removed. */
bool journal_mend(struct arena *, const char *folder, const char **why);

#endif
