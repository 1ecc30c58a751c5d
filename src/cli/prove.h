/* --prove: proves that two pairs of files are equal, and says which constants the application must set for that. */
#ifndef FPMOVE_CLI_PROVE_H
#define FPMOVE_CLI_PROVE_H

#include "cli/options.h"

/* The word that --constants-map takes instead of a report, if comments in the second pair say which constants the application sets. */
#define MAP_COMMENTS "comments"

/* Runs MODE_PROVE; returns the exit status. */
int prove_pairs(struct arena *, const struct options *);

#endif
