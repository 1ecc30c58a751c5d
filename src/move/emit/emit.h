/* Declares the functions that write the FP of a plan, and that make the lines of a new program (VP or FP) like those of the old one. */
#ifndef FPMOVE_MOVE_EMIT_EMIT_H
#define FPMOVE_MOVE_EMIT_EMIT_H

#include "move/plan/plan.h"
#include "move/passes.h"

/* Returns the FP of a complete plan, or NULL if it needs more temporaries than the model has.  Adds a note to `folds` of the result for each
 * new constant lane that is computed from others. */
struct program *emit_pixel_program(struct values *, const struct plan *, struct move_result *);

/* Changes registers and swizzles of `new` to those of the program `old` that it was made of, so that many lines are the same in both,
 * unless it then needs more slots, temporaries, or dependent texture reads in a row.  It may use the temporaries r0 .. r(limit-1). */
void make_alike(struct arena *, struct program *new, const struct program *old, const struct target *, unsigned limit);

#endif
