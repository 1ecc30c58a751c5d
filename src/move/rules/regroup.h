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

#endif
