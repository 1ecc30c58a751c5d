/* The VP that delivers what interpolators carry. */
#ifndef FPMOVE_MOVE_COVER_DELIVERY_H
#define FPMOVE_MOVE_COVER_DELIVERY_H

#include "move/plan/layout.h"
#include "move/passes.h"

struct vertex_start;
struct delivery;
struct vertex_start *delivery_start(struct values *, const struct program *vs, const struct move_options *);
/* Is a constant register left that it may take? */
bool delivery_has_constant(const struct vertex_start *);
/* Slots of what serves no interpolator. */
unsigned delivery_least(const struct vertex_start *);
/* The shortest vertex program that was found, looking at several ways for each interpolator; NULL: none
 * with at most so many slots.  `least`: slots of the shortest; UINT_MAX: none fits the budgets.
 * `how`, if not NULL: the way it was made.  `folds` and `consts` of the result get what was made. */
struct program *delivery_program(const struct vertex_start *, const struct layout *, unsigned at_most, unsigned *least,
                                 struct move_result *, const struct delivery **how);
/* Replaces the VP of a pair, made as `how` says, if trying more ways finds one that is shorter when tidied. */
void delivery_shorten(const struct vertex_start *, const struct layout *, const struct delivery *how, struct move_result *);

#endif
