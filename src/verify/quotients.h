/* Quotients of interpolated multiples of one number.  Private to src/verify. */
#ifndef FPMOVE_VERIFY_QUOTIENTS_H
#define FPMOVE_VERIFY_QUOTIENTS_H

#include "verify/ties.h"

/* NULL; or, as a sentence, which carriers of the new pair are such: proportional at all vertices, and one divides the other, or
 * both are parts of a vector that is normalised.  Where they pass 0 each has an error of its own, and the quotient is noise,
 * which it is not as long as both are computed from one carrier.  NULL also where the old pair has any such quotient.
 * *decider: the instruction of the new pair that divides. */
const char *quotients_newcomer(struct arena *, const struct ran_pair *old, const struct ran_pair *new, uint32_t *decider);

#endif
