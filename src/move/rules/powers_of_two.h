/* Factors 2^n and signs go where they cost nothing. */
#ifndef FPMOVE_MOVE_RULES_POWERS_OF_TWO_H
#define FPMOVE_MOVE_RULES_POWERS_OF_TWO_H

#include "move/rules/rules.h"

/* The program at hand without doublings, products with 2^n, and negations that are clamped: what they are of is made so
 * much larger, or what multiplies it.  `dp3 r1.x, r0, t0`, `max r1.x, r1.x, c0.x` and `add r1.x, r1.x, r1.x` with c0.x = 0
 * become `dp3 r1.x, r0, r2` and the max, with r2 = 2 t0, which can leave; `dp3 r1.x, r0, t0` and `mov_sat r1.x, -r1.x` become
 * `dp3 r1.x, r0, -t0` and `mov_sat r1.x, r1.x`.  Nothing is rounded otherwise. */
variant_writer variant_scales;

#endif
