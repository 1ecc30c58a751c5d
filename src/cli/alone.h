/* A vertex program that is given without a pixel program: nothing can move to it, and it is checked. */
#ifndef FPMOVE_CLI_ALONE_H
#define FPMOVE_CLI_ALONE_H

#include "cli/options.h"

/* Returns the vertex program if that is all that the source holds and nothing is asked for but programs, NULL otherwise. */
const struct program *alone_vertex(struct arena *, const struct options *, const struct source *);
/* Checks the program, and writes its source as it is to where moved programs go; returns the exit status. */
int alone_write(struct arena *, const struct options *, const struct program *, const struct source *);

#endif
