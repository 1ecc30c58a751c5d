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
/* Returns how many slots of the old VP compute outputs other than oT#, such as the position. */
unsigned delivery_least(const struct vertex_start *);
/* Returns the slots of the shortest VP for a layout, or UINT_MAX if there is none. vertex_estimate.c estimates them, over several ways for each
 * interpolator.  The budgets are ignored. */
unsigned delivery_estimate(const struct vertex_start *, const struct layout *);
/* Returns the VP of a layout that is estimated to be the shortest.  If that VP does not fit the budgets, returns the shortest VP that does, or NULL
 * if there is none.  Sets `consts` of the result to the constants that the application must copy for the VP, and adds to `folds` the VP's constants
 * that are computed from others. */
struct program *delivery_program(const struct vertex_start *, const struct layout *, struct move_result *);

#endif
