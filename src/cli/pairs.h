/* The way of one pair through the command: read, run, show, write. */
#ifndef FPMOVE_CLI_PAIRS_H
#define FPMOVE_CLI_PAIRS_H

#include "cli/options.h"

/* Reads an input and preprocesses it if it asks for that.  False: `*why`, for EXIT_USAGE.
 * What cannot be a program's text becomes a diagnostic. */
bool input_read(struct arena *, const char *name, const struct options *, struct source *, struct diags *,
                const char **why);

/* MODE_MOVE for one pair; the exit status. */
int move_pair(struct arena *, const struct options *);

#endif
