/* No output but a moved program, in place of itself, ever replaces an input, and no two outputs are one file: by
 * whatever name, as files are what is compared. */
#ifndef FPMOVE_CLI_GUARD_H
#define FPMOVE_CLI_GUARD_H

#include "cli/collect.h"
#include "cli/pairs.h"

/* What the command line names; before anything is read.  All of them: false with `*why`, for EXIT_USAGE. */
bool guard_options(struct arena *, const struct options *, const char **why);
/* Any files that options write, and others that are read. */
struct guarded {
	const char *option, *path; /* NULL: not given */
};
bool guard_files(struct arena *, const struct guarded *, uint32_t n, const struct names *inputs, const char **why);
/* What a batch found, and what else it writes. */
bool guard_batch(struct arena *, const struct options *, const struct collected *, const char **why);
/* The outputs of a pair, and those that the command line names, and all that was read for it: included files, too. */
bool guard_outputs(struct arena *, const struct options *, const struct outputs *, const struct source *, uint32_t n,
                   const char **why);

#endif
