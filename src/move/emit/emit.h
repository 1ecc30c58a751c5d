/* Declares the functions that write the FP of a plan, and that make the lines of a new program (VP or FP) like those of the old one. */
#ifndef FPMOVE_MOVE_EMIT_EMIT_H
#define FPMOVE_MOVE_EMIT_EMIT_H

#include "move/plan/plan.h"
#include "move/passes.h"

/* Writes the FP of a complete plan and returns it, or NULL if it needs more temporaries than the model has or cannot be written.  Adds to `folds` of
 * the result an entry for each new constant lane that is computed from others. */
struct program *emit_pixel_program(struct values *, const struct plan *, struct move_result *);

/* Changes swizzles and registers of `new` to those of the program `old` that it was made of.  Changes registers, to some of r0 .. r(limit-1), only
 * if more lines are then the same in both programs, and `new` needs no more slots, temporaries, or dependent texture reads in a row.  Does nothing
 * to long programs or for a target that counts R300's pairs. */
void make_alike(struct arena *, struct program *new, const struct program *old, const struct target *, unsigned limit);

#endif
