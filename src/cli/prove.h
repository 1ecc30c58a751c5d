/* --prove: are two pairs of files equal, and under which constants of the application? */
#ifndef FPMOVE_CLI_PROVE_H
#define FPMOVE_CLI_PROVE_H

#include "cli/options.h"

/* The word that --constants-map takes instead of a file. */
#define MAP_COMMENTS "comments"

/* MODE_PROVE; the exit status. */
int prove_pairs(struct arena *, const struct options *);

#endif
