/* Makes programs that stand in for the missing half of a pair. */
#ifndef FPMOVE_STAND_IN_H
#define FPMOVE_STAND_IN_H

#include "lang/ir.h"

/* Makes a VP for `ps`, which must not be linked yet, in the oldest model that goes with it.  The VP copies a different attribute to each
 * output that `ps` declares to read.  The attributes are independent of each other, so a proof of this pair holds for `ps` with any VP.
 * Returns NULL if `ps` has more inputs than a VP has outputs.  The program and its source, whose name is empty, live in the arena. */
struct program *stand_in_make(struct arena *, const struct program *ps);
/* Makes an FP that shows what `vs`, which must be linked, writes to oTn, or to the output declared as texcoordn.  Returns NULL if `vs`
 * writes nothing there. */
struct program *stand_in_reader(struct arena *, const struct program *vs, unsigned n);

#endif
