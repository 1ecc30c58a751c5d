/* Sums and products regrouped, so that what can move stands together: at -O3, and lrp and powers of two at -O2.
 *
 * Where -O3 puts a sum in another order, and who has chosen that:
 *     rule_regroup     writes it as an alternative beside each instruction that would take fewer slots so, or as many while others lose a reader, and
 *                      dots.c dot products beside sums of products, or the other way round; cut/choose.c tries each beside
 *                      what is given, and the best plan has one of them;
 *     "regroup all"    writes the whole FP so, over and over (rules.c, variant_regroup_all).  optimise.c plans such an FP, too, and
 *                      takes the one with the best result;
 *     tidying          regroups where that saves an instruction of the finished program (tidy_limits.regroup in passes.h; the
 *                      passes "ports" and "dot products" of tidy.c).
 * `fpmove -O3 --dump=alternatives,plan,passes` prints what of each was written, and what was taken. */
#ifndef FPMOVE_MOVE_RULES_REGROUP_H
#define FPMOVE_MOVE_RULES_REGROUP_H

#include "move/rules/rules.h"

enum regrouping { REGROUP_ANY, REGROUP_LRP };

/* Each lrp, or a sum and a mad that are one, as the products that it is, with its operands whole; and what can move
 * multiplied by the power of two, which rounds nothing, that its product is multiplied by. */
void rule_lrp(struct rewriting *);
bool regroup_may_lrp(const struct program *);

/* Sums and products in another order, equal in real arithmetic: `(t0 + r0) + c0` becomes `r0 + (t0 + c0)`, of which
 * the bracket can leave; also with what has other readers taken apart, where that costs nothing by itself. */
void rule_regroup(struct rewriting *);

#endif
