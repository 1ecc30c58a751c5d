/* Writing the FP of a plan. */
#ifndef FPMOVE_MOVE_EMIT_EMIT_H
#define FPMOVE_MOVE_EMIT_EMIT_H

#include "move/plan/plan.h"
#include "move/passes.h"

/* NULL: its temporaries do not suffice.  `folds` of the result get what was made. */
struct program *emit_pixel_program(struct values *, const struct plan *, struct move_result *);

#endif
