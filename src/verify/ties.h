/* Finds numbers made of constants alone that reach the pixel program through an interpolator and decide something there.
 * Private to src/verify. */
#ifndef FPMOVE_VERIFY_TIES_H
#define FPMOVE_VERIFY_TIES_H

#include "verify/field_run.h"

/* Both programs of a pair after one trial. */
struct ran_pair {
	const struct field_run *vs, *ps;
};

/* Looks for a carrier of the new pair that brings one of these numbers to a decision, if no interpolator of the old pair does.
 * Interpolation may change the last digit of a number that is equal at all vertices, so a comparison that met its limit
 * exactly becomes noise.  A decision that is as noisy in the old pair may stay so.  Returns a sentence that names the
 * carrier, and sets `*decider` to the instruction that decides; returns NULL if there is none. */
const char *ties_newcomer(struct arena *, const struct ran_pair *old, const struct ran_pair *new, uint32_t *decider);

#endif
