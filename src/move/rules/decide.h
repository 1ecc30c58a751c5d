/* A texkill or cmp that reads the result of a cmp, such as 0 or 1, reads what that cmp compared instead. */
#ifndef FPMOVE_MOVE_RULES_DECIDE_H
#define FPMOVE_MOVE_RULES_DECIDE_H

#include "lang/ir.h"

/* Rewrites a checked pixel program in place; the comparisons that are left are those that were there, of the same numbers.
 * With def c1, 0, 1, -1, 0:
 *
 *   cmp r1.x, r0.w, c1.x, c1.y      mov r2, r0.w           of what a texkill gets only the sign counts, through cmp, mov, min,
 *   mov r2, -r1.x                   texkill r2             max, and factors that are numbers; what several lanes ask
 *   texkill r2                                             is several lanes
 *
 *   cmp r1.x, r0.w, c1.x, c1.y      cmp r2, r0.w, r3, r4   so does it for a cmp, whose operands may change places
 *   abs r1.x, r1.x
 *   cmp r2, -r1.x, r3, r4
 *
 *   cmp r1.x, r0.w, r2, r2          mov r1.x, r2           what is taken in any case is moved
 *
 * Temporaries are r0 .. r(temps-1) afterwards.  `noted`: literals whose numbers the proof does not see; NULL: none.
 * False: there was nothing to do. */
bool decide_directly(struct arena *, struct program *, const struct folds *noted, unsigned temps);

#endif
