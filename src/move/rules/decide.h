/* Lets a texkill or cmp that reads the result of a cmp, for example 0 or 1, read what that cmp compared instead. */
#ifndef FPMOVE_MOVE_RULES_DECIDE_H
#define FPMOVE_MOVE_RULES_DECIDE_H

#include "lang/ir.h"

/* Rewrites a checked pixel program in place.  The comparisons that are left compare the same numbers as before.
 * With def c1, 0, 1, -1, 0:
 *
 *   cmp r1.x, r0.w, c1.x, c1.y      mov r2, r0.w           texkill depends only on the signs of its lanes; a lane that is computed
 *   mov r2, -r1.x                   texkill r2             from a cmp between numbers has the sign of what the cmp compares, or is
 *   texkill r2                                             never below 0; lanes that depend on different values stay different
 *
 *   cmp r1.x, r0.w, c1.x, c1.y      cmp r2, r0.w, r3, r4   cmp depends only on the sign of its first operand; the other two
 *   abs r1.x, r1.x                                         may be swapped
 *   cmp r2, -r1.x, r3, r4
 *
 *   cmp r1.x, r0.w, r2, r2          mov r1.x, r2           a cmp that takes the same operand in any case becomes a mov
 *
 * Temporaries are r0 .. r(temps-1) afterwards.  `noted` holds literals whose numbers the proof does not see, or is NULL if there are
 * none.  Returns false if there was nothing to do. */
bool decide_directly(struct arena *, struct program *, const struct folds *noted, unsigned temps);

#endif
