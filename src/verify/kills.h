/* Compares the texkills of two pixel programs by the values that they test.  Private to src/verify. */
#ifndef FPMOVE_VERIFY_KILLS_H
#define FPMOVE_VERIFY_KILLS_H

#include "verify/field_run.h"

/* The values that texkills test, in a simplified form.  A texkill only tests whether values are below 0, and kills the pixel if one of
 * them is.  So a tested value can be replaced by a list of values, of which one is below 0 exactly where the tested value is:
 *
 *   tested value                                                    replaced by
 *   a value that is known never to be below 0                       nothing
 *   min(x, y ...);  -1 if x < 0 or y < 0 ..., else 0 (choice.h)     x, y ...
 *   q x with a number q > 0, noted as a multiple (known.h)          x */
struct kill_tests {
	VEC(felt);
};
/* Returns true if the value is known never to be below 0. */
bool kill_never(const struct field_run *, unsigned column, felt);
/* Adds the values that replace this tested value, see struct kill_tests. */
void kill_tests_of(const struct field_run *, unsigned column, felt, struct kill_tests *);

/* Returns the index of the first texkill of one program that tests a value which no texkill of the `other` program tests, or the number of
 * texkills if there is none.  Ignores order and repetitions.  Compares both with .w and without it, since some drivers test .w and others do not. */
uint32_t kill_unmatched(const struct field_run *, const struct field_run *other);
/* Returns true if a texkill of one program and one of another kill the same pixels, both with .w and without it. */
bool kill_is_same(const struct field_run *, uint32_t kill, const struct field_run *other, uint32_t other_kill);

#endif
