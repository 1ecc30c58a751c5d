/* Builds the VP that delivers a layout: the values that each lane of each interpolator carries to the FP. */
#ifndef FPMOVE_MOVE_COVER_DELIVERY_H
#define FPMOVE_MOVE_COVER_DELIVERY_H

#include "move/plan/layout.h"
#include "move/passes.h"

struct vertex_start;
/* Collects facts of the old VP that hold for every plan. */
struct vertex_start *delivery_start(struct values *, const struct program *vs, const struct move_options *);
/* Returns true if at least one constant register is free, so that the new VP may take it. */
bool delivery_has_constant(const struct vertex_start *);
/* Returns the slots of the old VP without the instructions that only compute oT#. */
unsigned delivery_least(const struct vertex_start *);
/* Returns the estimated slots of the shortest VP that delivers a layout, or UINT_MAX if there is none.  Ignores the budgets. */
unsigned delivery_estimate(const struct vertex_start *, const struct layout *);
/* Writes the VP that delivers a layout and is estimated to be the shortest, and returns it.  If that VP does not fit the budgets, returns the
 * shortest one found that does, or NULL if there is none.  Sets `consts` of the result to the constants that the application must copy for the VP,
 * and `folds` to the VP's constants that are computed from others. */
struct program *delivery_program(const struct vertex_start *, const struct layout *, struct move_result *);

#endif
