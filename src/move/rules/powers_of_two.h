/* Factors 2^n and signs go where they cost nothing. */
#ifndef FPMOVE_MOVE_RULES_POWERS_OF_TWO_H
#define FPMOVE_MOVE_RULES_POWERS_OF_TWO_H

#include "move/graph/values.h"

/* The program at hand without doublings, products with 2^n, and negations that are clamped: what they are of is made so
 * much larger, or what multiplies it.  `dp3 r1.x, r0, t0`, `max r1.x, r1.x, c0.x` and `add r1.x, r1.x, r1.x` with c0.x = 0
 * become `dp3 r1.x, r0, r2` and the max, with r2 = 2 t0, which can leave; `dp3 r1.x, r0, t0` and `mov_sat r1.x, -r1.x` become
 * `dp3 r1.x, r0, -t0` and `mov_sat r1.x, r1.x`.  Nothing is rounded otherwise.  Temporaries have any number below 32; the
 * `at` of each instruction is the index of the one that it stands for, or SRCPOS_NONE.  `drop_in`: constants that the
 * application sets cannot leave.  NULL: there is nothing to write so. */
struct program *push_scales(struct values *, bool drop_in);

#endif
