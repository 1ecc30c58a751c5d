/* -O3: the pixel program regrouped, so that what can move stands together. */
#ifndef FPMOVE_MOVE_REASSOCIATE_H
#define FPMOVE_MOVE_REASSOCIATE_H

#include "lang/ir.h"

/* Sums and products of the FP in another order, equal in real arithmetic, over temporaries of any
 * number below 32: `(t0 + r0) + c0` becomes `r0 + (t0 + c0)`, of which the bracket can leave.
 * `eager` also takes apart what has other readers, where that costs nothing by itself.
 *
 * The `at` of each new instruction is the index of the one in `ps` that it stands for, or
 * SRCPOS_NONE.  NULL: nothing to gain. */
struct program *reassociate(struct arena *, const struct program *vs, const struct program *ps, bool eager);

#endif
