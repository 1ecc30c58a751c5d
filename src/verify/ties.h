/* Numbers made of constants alone that reach the pixel program through an interpolator, and decide there.  Private to
 * src/verify. */
#ifndef FPMOVE_VERIFY_TIES_H
#define FPMOVE_VERIFY_TIES_H

#include "verify/field_run.h"

/* Both programs of a pair after one trial. */
struct ran_pair {
	const struct field_run *vs, *ps;
};

/* NULL; or, as a sentence, which carrier of the new pair brings such a number that the old pair had no interpolator
 * bring to a decision.  An interpolator may return a number that is equal at all vertices a digit off, so that what met
 * its limit exactly is noise; what is as noisy in the old pair may stay so. */
const char *ties_newcomer(struct arena *, const struct ran_pair *old, const struct ran_pair *new, uint32_t *decider);

#endif
