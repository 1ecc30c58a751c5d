/* Constants that lanes of one register are added to, multiplied by or compared with are gathered in a register. */
#ifndef FPMOVE_MOVE_RULES_GATHER_H
#define FPMOVE_MOVE_RULES_GATHER_H

#include "move/graph/values.h"

/* The program at hand with one instruction for what are several because they read lanes of different constants, or
 * no constant: `add r1.x, r0, c0.z` and `mov r1.y, r0` become `add r1.xy, r0, r2` with r2 = (c0.z, 0), which can
 * leave.  The same numbers, but for the sign of 0.  Temporaries have any number below 32; the `at` of each instruction
 * is the index of the one that it stands for, or SRCPOS_NONE.  `drop_in`: constants that the application sets cannot
 * leave.  NULL: there is nothing to gather. */
struct program *gather_constants(struct values *, bool drop_in);

/* The same with one mad for a product and a sum, each of which reads a constant, or a t#: `mul r1, r0, c0` and
 * `add r1, r1, c1` become `mad r1, r0, c0, r2` with r2 = c1, which can leave. */
struct program *gather_addends(struct arena *, const struct program *, bool drop_in);

#endif
