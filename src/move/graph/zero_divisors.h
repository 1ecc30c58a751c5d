/* What is 0 by algebra, though no form of it shows that. */
#ifndef FPMOVE_MOVE_GRAPH_ZERO_DIVISORS_H
#define FPMOVE_MOVE_GRAPH_ZERO_DIVISORS_H

#include "lang/ir.h"

/* Sets zero[k] for each rcp of the FP that divides by 0 whatever it and the VP are given, as (a + b) c - a c - b c. */
void residue_divisors(struct arena *, const struct program *vs, const struct program *ps, bool *zero);

#endif
