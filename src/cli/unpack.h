/* --unpack: the programs of a trace as files of their own. */
#ifndef FPMOVE_CLI_UNPACK_H
#define FPMOVE_CLI_UNPACK_H

#include "cli/options.h"

/* Writes each program of the trace to a file, and pairs.csv, a table for --pairs of the programs that are drawn together.  Returns the
 * exit status. */
int unpack_trace(struct arena *, const struct options *);

#endif
