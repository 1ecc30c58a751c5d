/* Builds the VP that delivers what interpolators carry. */
#ifndef FPMOVE_MOVE_COVER_DELIVERY_H
#define FPMOVE_MOVE_COVER_DELIVERY_H

#include "move/plan/layout.h"
#include "move/passes.h"

struct vertex_start;
/* Collects what is known of the old VP before there is a plan. */
struct vertex_start *delivery_start(struct values *, const struct program *vs, const struct move_options *);
/* Returns true if the new VP may take a constant register that the old one leaves free. */
bool delivery_has_constant(const struct vertex_start *);
/* Returns how many slots of the old VP serve other outputs than interpolators. */
unsigned delivery_least(const struct vertex_start *);
/* Returns the slots of the shortest VP for a layout, as vertex_estimate.c estimates them over several ways for each interpolator, or
 * UINT_MAX if there is none.  The budgets are ignored. */
unsigned delivery_estimate(const struct vertex_start *, const struct layout *);
/* Returns the VP of a layout that is estimated to be the shortest.  If that VP does not fit the budgets, returns the shortest VP that
 * does, or NULL if there is none.  Sets `consts` of the result to the constants that the VP needs, and adds its folds to `folds`. */
struct program *delivery_program(const struct vertex_start *, const struct layout *, struct move_result *);

#endif
