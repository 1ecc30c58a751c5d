/* Powers of two go to what can move, through products. */
#ifndef FPMOVE_MOVE_RULES_POWERS_OF_TWO_H
#define FPMOVE_MOVE_RULES_POWERS_OF_TWO_H

#include "lang/ir.h"

/* The program with factors 2^n, and doublings, made a part of what can move and is multiplied by the same product:
 * `add r2, r2, r2`, `mul r0, r0, r2`, `mul r0, r0, r1` and `mul r0, r0, c1` become `mul r0, r0, r2`, `mul r0, r0, r1`
 * and `mul r0, r0, r3` with r3 = 2 c1, which can leave.  Nothing is rounded otherwise.  What stands side by side is
 * reassociate's.  Temporaries have any number below 32; the `at` of each instruction is the index of the one that it
 * stands for, or SRCPOS_NONE.  NULL: there is nothing to do. */
struct program *push_scales(struct arena *, const struct program *vs, const struct program *ps);

#endif
