/* Finds ties: numbers made of constants alone that a comparison or the like uses, so that they must be exact, but that reach the pixel
 * program through an interpolator.  Private to src/verify. */
#ifndef FPMOVE_VERIFY_TIES_H
#define FPMOVE_VERIFY_TIES_H

#include "verify/field_run.h"

/* Both programs of a pair after one trial. */
struct ran_pair {
	const struct field_run *vs, *ps;
};

/* Looks for an interpolated input of the new pair that brings a number made of constants to a decision (a cmp, a texkill ...).
 * Interpolation may change the last digit of a number that is equal at all vertices, so a comparison that met its limit
 * exactly becomes noise.  Ignores decisions that are as noisy in the old pair.  Returns a sentence that names the input, and
 * sets `*decider` to the instruction that decides; returns NULL if there is none. */
const char *ties_newcomer(struct arena *, const struct ran_pair *old, const struct ran_pair *new, uint32_t *decider);

#endif
