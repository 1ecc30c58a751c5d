/* Reads at quotients become projected reads. */
#ifndef FPMOVE_MOVE_RULES_PROJECT_H
#define FPMOVE_MOVE_RULES_PROJECT_H

#include "move/rules/rules.h"

/* `texldp` at (a, b, w) for each `texld` at (a / w, b / w) of an affine w: equal in real arithmetic, and a and b can leave
 * where their quotients cannot. */
void rule_project(struct rewriting *);
/* Is a texture read behind a reciprocal, at coordinates that are computed? */
bool project_may(const struct program *);

#endif
