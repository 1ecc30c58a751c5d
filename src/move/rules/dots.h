/* Sums of products as dot products, and dot products of what can move in part as sums. */
#ifndef FPMOVE_MOVE_RULES_DOTS_H
#define FPMOVE_MOVE_RULES_DOTS_H

#include "move/rules/rules.h"

/* One dot product for sums of three or four products that compilers write one by one, and for sums of two squares of what can
 * move: `dp2add r0.x, t0, t0, c31.x` with c31.x = 0 becomes `dp3 r0.x, r1, r1` with r1 = (t0.x, t0.y, 0), which can leave.
 * What can move is put together in the order in which it is added up. */
void rule_dots(struct rewriting *);
bool dots_may(const struct program *);

/* -O3: of a dot product of which some lanes can move, the other products and a sum of what can, in another order:
 * `dp4 r1.x, r0, c0` with r0 = (t0.x, t0.y, a pixel's value, 1) is `mad r1.x, r0.z, c0.z, r2.x` with
 * r2.x = c0.x t0.x + c0.y t0.y + c0.w. */
void rule_dots_in_part(struct rewriting *);
bool dots_may_part(const struct program *);

#endif
