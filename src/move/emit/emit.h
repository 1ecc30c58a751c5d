/* Writing the FP of a plan, and making the lines of a new program (VP or FP) equal to lines of the old one. */
#ifndef FPMOVE_MOVE_EMIT_EMIT_H
#define FPMOVE_MOVE_EMIT_EMIT_H

#include "move/plan/plan.h"
#include "move/passes.h"

/* Writes the FP of a complete plan; returns NULL if it needs more temporaries than the model has.  Adds the constants that it defines to
 * `folds` of the result. */
struct program *emit_pixel_program(struct values *, const struct plan *, struct move_result *);

/* Gives `new` the order, registers and swizzles of the program `old` that it was made of, as far as it then needs no more slots, dependent
 * reads and temporaries.  It may use the temporaries r0 .. r(limit-1). */
void make_alike(struct arena *, struct program *new, const struct program *old, const struct target *, unsigned limit);

#endif
