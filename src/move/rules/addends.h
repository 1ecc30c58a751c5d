/* The constants that products are added to come by a mov of their own. */
#ifndef FPMOVE_MOVE_RULES_ADDENDS_H
#define FPMOVE_MOVE_RULES_ADDENDS_H

#include "move/rules/rules.h"

/* One mad for a product and a sum, each of which reads a constant, or a t#: with `mul r1, r0, c0`, `add r1, r1, c1` is
 * `mad r1, r0, c0, r2` with r2 = c1, which can leave.  The same numbers. */
void rule_addends(struct rewriting *);
bool addends_may(const struct program *);

#endif
