/* Protects input files: no output replaces one, except that a moved program may replace its own source, and no two outputs go to one
 * file.  Files are compared by identity, so that links and different spellings of a path are found out. */
#ifndef FPMOVE_CLI_GUARD_H
#define FPMOVE_CLI_GUARD_H

#include "cli/collect.h"
#include "cli/outputs.h"

/* Checks, before the inputs are read, that no output that the command line names would replace an input, another program or another output.
 * Returns false and sets `*why` if one would; the exit status is then EXIT_USAGE.  The functions below return false in the same way. */
bool guard_options(struct arena *, const struct options *, const char **why);
struct guarded {
	const char *option, *path; /* option that names the output, and the file; `path` is NULL if the option is not given */
};
/* Checks that `n` outputs that options name are different files, none of which is among `inputs` or is a shader. */
bool guard_files(struct arena *, const struct guarded *, uint32_t n, const struct names *inputs, const char **why);
/* Checks that no report of a batch would replace a program that the batch reads, or another file that it writes. */
bool guard_batch(struct arena *, const struct options *, const struct collected *, const char **why);
/* Checks that no output of a pair, and no report of a batch, would replace another output or a file that was read for the pair: the `n` sources,
 * the files that they include, and the files that options name.  With -MD also checks that a make rule can hold the names. */
bool guard_outputs(struct arena *, const struct options *, const struct outputs *, const struct source *, uint32_t n,
                   const char **why);

#endif
