/* What is done with a choice between values that can move is done with these values. */
#ifndef FPMOVE_MOVE_RULES_CHOICES_H
#define FPMOVE_MOVE_RULES_CHOICES_H

#include "move/rules/rules.h"

/* The program at hand with one cmp for what are a cmp, movs beside it and sums or products of what these brought:
 * `cmp r1.x, r0, c0.x, c0.y`, `mov r1.y, c0.z` and `add r1.xy, r1, t0` become `cmp r1.xy, r0.x, r2, r3` with
 * r2 = t0 + (c0.x, c0.z) and r3 = t0 + (c0.y, c0.z), which can leave.  The same numbers. */
variant_writer variant_choices;

#endif
