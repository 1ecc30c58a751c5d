/* A new program as much like the old one as can be, line by line. */
#ifndef FPMOVE_MOVE_EMIT_LIKENESS_H
#define FPMOVE_MOVE_EMIT_LIKENESS_H

#include "move/passes.h"

/* Gives `new` the order and registers of the program `old` that it was made of, where that changes neither
 * its slots nor its dependent reads and takes no more temporaries.  They are r0 .. r(limit-1). */
void make_alike(struct arena *, struct program *new, const struct program *old, const struct target *, unsigned limit);

#endif
