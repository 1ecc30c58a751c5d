/* Protects input files: no output replaces one, except that a moved program may replace its own source, and no two outputs go to one
 * file.  Files are compared by identity, so that links and different spellings of a path are found out. */
#ifndef FPMOVE_CLI_GUARD_H
#define FPMOVE_CLI_GUARD_H

#include "cli/collect.h"
#include "cli/outputs.h"

/* All functions return false and set `*why` on a clash; the exit status is then EXIT_USAGE. */

/* Checks files that the command line names, before anything is read. */
bool guard_options(struct arena *, const struct options *, const char **why);
struct guarded {
	const char *option, *path; /* option that names the output, and the file; `path` is NULL if the option is not given */
};
/* Checks `n` outputs of options against each other and against `inputs`. */
bool guard_files(struct arena *, const struct guarded *, uint32_t n, const struct names *inputs, const char **why);
/* Checks the files that a batch reads and writes. */
bool guard_batch(struct arena *, const struct options *, const struct collected *, const char **why);
/* Checks the outputs of a pair and those of options against all files that were read for it, with included ones. */
bool guard_outputs(struct arena *, const struct options *, const struct outputs *, const struct source *, uint32_t n,
                   const char **why);

#endif
