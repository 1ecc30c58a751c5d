/* -O3, and lrp and powers of two at -O2: sums and products regrouped, so that what can move stands together. */
#ifndef FPMOVE_MOVE_RULES_REGROUP_H
#define FPMOVE_MOVE_RULES_REGROUP_H

#include "move/rules/rules.h"

enum regrouping { REGROUP_ALL, REGROUP_LRP };

/* Each lrp, or a sum and a mad that are one, as the products that it is, with its operands whole; and what can move
 * multiplied by the power of two, which rounds nothing, that its product is multiplied by. */
void rule_lrp(struct rewriting *);
bool regroup_may_lrp(const struct program *);

/* Sums and products in another order, equal in real arithmetic: `(t0 + r0) + c0` becomes `r0 + (t0 + c0)`, of which
 * the bracket can leave; also with what has other readers taken apart, where that costs nothing by itself. */
void rule_regroup(struct rewriting *);

#endif
