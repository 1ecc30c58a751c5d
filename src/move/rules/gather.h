/* Instructions that do the same with one pixel value and with different values that can move become one instruction. */
#ifndef FPMOVE_MOVE_RULES_GATHER_H
#define FPMOVE_MOVE_RULES_GATHER_H

#include "move/rules/rules.h"

/* The program at hand in which `mul r1.xyz, r0, c2` and `mul r1.w, r0, c3.x` are `mul r1, r0, r2`, where movs bring r2.xyz = c2 and
 * r2.w = c3.x, which can leave: one interpolator delivers them.  Of sums of two products the order is changed where that helps: of
 * a turned vector, (p a - q b, p b + q a) with pixel values p and q, the first product of either sum is made p's, so that it is
 * `mul r1.xy, p, r2` and `mad r1.xy, q, r3, r1` with r2 = (a, b) and r3 = (-b, a).
 *
 * The numbers are the same, but for what a product rounds that is added first. */
variant_writer variant_gather;

#endif
