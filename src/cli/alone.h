/* Handles a vertex program that is given without a pixel program: nothing can move to it, so it is only checked. */
#ifndef FPMOVE_CLI_ALONE_H
#define FPMOVE_CLI_ALONE_H

#include "cli/options.h"

/* Returns the vertex program if the source holds nothing else and no option asks for a file about a pair, or NULL otherwise. */
const struct program *alone_vertex(struct arena *, const struct options *, const struct source *);
/* Checks the program and writes its unchanged source to the output folder.  Returns the exit status. */
int alone_write(struct arena *, const struct options *, const struct program *, const struct source *);

#endif
