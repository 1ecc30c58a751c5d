/* The constants that products are added to come by a mov of their own. */
#ifndef FPMOVE_MOVE_RULES_ADDENDS_H
#define FPMOVE_MOVE_RULES_ADDENDS_H

#include "lang/ir.h"

/* The program with one mad for a product and a sum, each of which reads a constant, or a t#: `mul r1, r0, c0` and
 * `add r1, r1, c1` become `mad r1, r0, c0, r2` with r2 = c1, which can leave.  The same numbers.  Temporaries have any
 * number below 32; the `at` of each instruction is the index of the one that it stands for, or SRCPOS_NONE.  `drop_in`:
 * constants that the application sets cannot leave.  NULL: there is nothing to write so. */
struct program *gather_addends(struct arena *, const struct program *, bool drop_in);

#endif
