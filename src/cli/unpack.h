/* --unpack: the programs of a trace as files of their own. */
#ifndef FPMOVE_CLI_UNPACK_H
#define FPMOVE_CLI_UNPACK_H

#include "cli/options.h"

/* Writes each program that the trace's text has, and pairs.csv, a table for --pairs of those that are drawn together; returns the exit
 * status. */
int unpack_trace(struct arena *, const struct options *);

#endif
