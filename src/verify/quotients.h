/* Quotients of interpolated multiples of one number.  Private to src/verify. */
#ifndef FPMOVE_VERIFY_QUOTIENTS_H
#define FPMOVE_VERIFY_QUOTIENTS_H

#include "verify/ties.h"

/* Looks for two carriers of the new pair that are proportional at all vertices, of which one divides the other, or which are
 * parts of one vector that is normalised.  Where they pass 0 each has an error of its own, so the quotient is noise; it is
 * exact if the pixel program computes both from one carrier.  Returns a sentence that names the carriers, and sets `*decider`
 * to the instruction that divides.  Returns NULL if there are none, or if the old pair has such a quotient, too. */
const char *quotients_newcomer(struct arena *, const struct ran_pair *old, const struct ran_pair *new, uint32_t *decider);

#endif
