/* The vertex program of a pixel program that is given alone. */
#ifndef FPMOVE_STAND_IN_H
#define FPMOVE_STAND_IN_H

#include "lang/ir.h"

/* Makes a program of the oldest model that goes with `ps`, before that is linked: it passes an attribute of its own on to each lane that
 * `ps` declares.  These are free of each other, so what is proven of the pair holds beside every vertex program.  Returns NULL if `ps`
 * has more inputs than outputs can feed.  The program and its source, whose name is empty, live in the
 * arena. */
struct program *stand_in_make(struct arena *, const struct program *ps);
/* Makes a pixel program that shows what `vs`, linked, writes to oTn, or to the output declared as texcoordn.  Returns NULL if it writes
 * nothing there. */
struct program *stand_in_reader(struct arena *, const struct program *vs, unsigned n);

#endif
