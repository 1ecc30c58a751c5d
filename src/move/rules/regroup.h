/* -O3, and lrp and powers of two at -O2: the pixel program regrouped, so that what can move stands together. */
#ifndef FPMOVE_MOVE_RULES_REGROUP_H
#define FPMOVE_MOVE_RULES_REGROUP_H

#include "move/graph/values.h"

enum regrouping { REGROUP_PLAIN, REGROUP_EAGER, REGROUP_LRP };

/* Sums and products of the FP in another order, equal in real arithmetic, over temporaries of any
 * number below 32: `(t0 + r0) + c0` becomes `r0 + (t0 + c0)`, of which the bracket can leave.
 * REGROUP_EAGER also takes apart what has other readers, where that costs nothing by itself; REGROUP_LRP only writes
 * each lrp, or a sum and a mad that are one, as the products that it is, with its operands whole, and multiplies what can
 * move by the power of two, which rounds nothing, that its product is multiplied by.
 *
 * `known`: the values of `ps` with `vs` alone, or NULL.  The `at` of each new instruction is the index of the one in `ps` that it stands for, or
 * SRCPOS_NONE.  NULL: nothing to gain. */
struct program *reassociate(struct arena *, const struct program *vs, const struct program *ps, const struct values *known,
                            enum regrouping);

#endif
