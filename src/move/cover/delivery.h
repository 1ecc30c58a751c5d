/* The VP that delivers what interpolators carry. */
#ifndef FPMOVE_MOVE_COVER_DELIVERY_H
#define FPMOVE_MOVE_COVER_DELIVERY_H

#include "move/plan/layout.h"
#include "move/passes.h"

struct vertex_start;
struct vertex_start *delivery_start(struct values *, const struct program *vs, const struct move_options *);
/* Is a constant register left that it may take? */
bool delivery_has_constant(const struct vertex_start *);
/* Slots of what serves no interpolator. */
unsigned delivery_least(const struct vertex_start *);
/* Returns the slots of the shortest VP for a layout, over several ways for each interpolator, as vertex_estimate.c has it; UINT_MAX
 * if there is none.  Budgets do not count. */
unsigned delivery_estimate(const struct vertex_start *, const struct layout *);
/* Returns the VP of a layout that is estimated to be the shortest, or if that does not fit the budgets, the shortest of those that do;
 * NULL if none does.  `folds` and `consts` of the result get what was made. */
struct program *delivery_program(const struct vertex_start *, const struct layout *, struct move_result *);

#endif
