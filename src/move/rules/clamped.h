/* A sum that can move, apart from the _sat that clamps it. */
#ifndef FPMOVE_MOVE_RULES_CLAMPED_H
#define FPMOVE_MOVE_RULES_CLAMPED_H

#include "move/rules/rules.h"

/* `add_sat r0.xyz, t1, r2` with r2 = t2 is `mov_sat r0.xyz, r3` with r3 = t1 + r2, which can leave, and takes no more lanes of an
 * interpolator than the result has.  The same numbers. */
void rule_clamped(struct rewriting *);
bool clamped_may(const struct program *);

#endif
