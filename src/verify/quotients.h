/* Finds quotients of two interpolated values that are multiples of one number.  Private to src/verify. */
#ifndef FPMOVE_VERIFY_QUOTIENTS_H
#define FPMOVE_VERIFY_QUOTIENTS_H

#include "verify/ties.h"

/* Looks in the new pair for two carriers (interpolated inputs) that are proportional at all vertices, and of which the FP divides one by
 * the other, or normalises a vector of both.  Each has an error of its own, so near 0 the quotient is noise; if the FP computed both from
 * one carrier, it would be exact.  Returns a sentence that names the carriers, and sets `*decider` to the instruction that divides.
 * Returns NULL if there are none, or if the old pair has such a quotient, too. */
const char *quotients_newcomer(struct arena *, const struct ran_pair *old, const struct ran_pair *new, uint32_t *decider);

#endif
