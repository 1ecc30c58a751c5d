/* Handles a vertex program that is given without a pixel program: nothing can move to it, so it is checked and copied. */
#ifndef FPMOVE_CLI_ALONE_H
#define FPMOVE_CLI_ALONE_H

#include "cli/options.h"

/* Returns the only program of the source if it is a vertex program, parses without errors, and no option such as --report asks for a file about
 * a pair.  Returns NULL otherwise. */
const struct program *alone_vertex(struct arena *, const struct options *, const struct source *);
/* Checks the program and prints its diagnostics.  If there is no error and -o is given, writes the source unchanged to the output folder.
 * Returns the exit status. */
int alone_write(struct arena *, const struct options *, const struct program *, const struct source *);

#endif
