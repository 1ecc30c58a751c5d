/* Makes programs for pairs that lack one: a VP that stands for any VP, and an FP that shows an interpolator. */
#ifndef FPMOVE_STAND_IN_H
#define FPMOVE_STAND_IN_H

#include "lang/ir.h"

/* Makes a VP that stands for any VP with which `ps` may be drawn, in the oldest model that goes with `ps`, which must not be linked yet.  The VP
 * copies another attribute to each output that `ps` declares to read; these are independent of each other, so a proof of this pair holds for `ps`
 * with any VP.  Returns NULL if `ps` has more inputs than a VP has outputs.  The source's name is empty. */
struct program *stand_in_make(struct arena *, const struct program *ps);
/* Makes an FP whose colour is what `vs`, a linked program, writes to oTn, or in model 3 to the output declared as texcoordn; lanes that are not
 * written become 0.  Returns NULL if `vs` writes nothing there. */
struct program *stand_in_reader(struct arena *, const struct program *vs, unsigned n);

#endif
