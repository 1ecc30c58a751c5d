/* Writing the FP of a plan, and either program as much like the old one as can be, line by line. */
#ifndef FPMOVE_MOVE_EMIT_EMIT_H
#define FPMOVE_MOVE_EMIT_EMIT_H

#include "move/plan/plan.h"
#include "move/passes.h"

/* NULL: its temporaries do not suffice.  `folds` of the result get what was made. */
struct program *emit_pixel_program(struct values *, const struct plan *, struct move_result *);

/* Gives `new` the order and registers of the program `old` that it was made of, where that changes neither
 * its slots nor its dependent reads and takes no more temporaries.  They are r0 .. r(limit-1). */
void make_alike(struct arena *, struct program *new, const struct program *old, const struct target *, unsigned limit);

#endif
