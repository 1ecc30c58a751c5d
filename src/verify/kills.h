/* What texkills ask.  Private to src/verify. */
#ifndef FPMOVE_VERIFY_KILLS_H
#define FPMOVE_VERIFY_KILLS_H

#include "verify/field_run.h"

/* Of a value texkill only asks whether it is below 0, and a pixel goes if any of those it asks is.  So a value is one
 * or several others, of which any is below 0 where it is, and nowhere else:
 *
 *   nothing                 what is known to be never below 0
 *   x, y ...                min(x, y ...);  max(x, -1);  -1 if x < 0 or y < 0 ..., else 0 (see choice.h)
 *   x                       q x, of a number q > 0: that the one was made as a multiple of the other is noted (known.h), or the
 *                           quotient is among the numbers that are known */
struct kill_tests {
	VEC(felt);
};
/* Is the value known to be never below 0? */
bool kill_never(const struct field_run *, unsigned column, felt);
void kill_tests_of(const struct field_run *, unsigned column, felt, struct kill_tests *);

/* The first texkill of one program that those of the other do not make up for; the number of them if there is none.  Order
 * and repetitions do not count; but some drivers ask .w, too, and some do not. */
uint32_t kill_unmatched(const struct field_run *, const struct field_run *other);
/* Do a texkill of one program and one of another kill the same pixels, whether or not .w is asked? */
bool kill_is_same(const struct field_run *, uint32_t kill, const struct field_run *other, uint32_t other_kill);

#endif
