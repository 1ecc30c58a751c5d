/* The arithmetic of instructions on elements, the values in the proof's fields (field.h).  The exact numbers of results that are computed
 * from literals alone are noted (known.h).  Private to src/verify. */
#ifndef FPMOVE_VERIFY_ELEMENTS_H
#define FPMOVE_VERIFY_ELEMENTS_H

#include "verify/field_run.h"

felt element_add(struct field_run *, unsigned column, felt a, felt b);
felt element_sub(struct field_run *, unsigned column, felt a, felt b);
felt element_mul(struct field_run *, unsigned column, felt a, felt b);
/* Returns a b + d. */
felt element_mad(struct field_run *, unsigned column, felt a, felt b, felt d);
/* Returns b + share (a - b).  If a and b are known numbers, notes that a - b is a known number, too, whatever `share` is. */
felt element_choose(struct field_run *, unsigned column, felt share, felt a, felt b);
/* Returns max(x, -x). */
felt element_magnitude(struct field_run *, unsigned column, felt);
/* Returns |x|, as the instruction abs does: x itself if x is known to be a square or a positive number, and -x if -x is known to be one. */
felt element_absolute(struct field_run *, unsigned column, felt);
/* Returns the greater of two elements; if they are x and -x, that is element_absolute(x). */
felt element_greater(struct field_run *, unsigned column, felt, felt);
felt element_saturate(struct field_run *, unsigned column, felt);

/* Return max(a, b), min(a, b), and 1 if a >= b or else 0 (selectors.c). */
felt select_max(struct field_run *, unsigned column, felt a, felt b);
felt select_min(struct field_run *, unsigned column, felt a, felt b);
felt select_not_below(struct field_run *, unsigned column, felt a, felt b);

/* Returns a random element made from a hash.  In a run with `small` set it is a small random number, which is noted as known. */
felt element_anything(struct field_run *, unsigned column, uint64_t hash);
/* Returns the value of an unknown function, as a hash: the same element whenever tag and operand are the same. */
felt element_function(struct field_run *, unsigned column, enum field_tag, uint64_t operand);
/* Returns a random element for a register lane of unknown content.  The tag, `a`, `b` and `lane` say which lane it is; `a` and `b` are
 * below 2^16. */
felt element_unknown(struct field_run *, unsigned column, enum field_tag, unsigned a, unsigned b, unsigned lane);
/* Notes that the element is not below 0, and returns it. */
felt element_positive(struct field_run *, unsigned column, felt);
/* Return 2^x, rsq |x|, log |x|, x - floor x and floor x.  2^0 is 1, so that x^0 is 1, as x / x is 1.  If element_note_scale() noted x as n^2
 * times y, rsq x is rsq y / n. */
felt element_exp(struct field_run *, unsigned column, felt);
felt element_rsq(struct field_run *, unsigned column, felt);
felt element_log(struct field_run *, unsigned column, felt);
felt element_fraction(struct field_run *, unsigned column, felt);
felt element_floor(struct field_run *, unsigned column, felt);
/* Notes that `sum`, the sum of squares of a vector's three elements, is n^2 times the sum of squares of x, y and z, if the elements are noted as
 * n x, n y and n z.  Notes nothing in runs of the new pair. */
void element_note_scale(struct field_run *, unsigned column, const felt vector[3], felt sum);
/* Sets `sum` to the value in the pixel of a lane whose values at the vertices are x.  If `saturated` is set, clamps the values at the vertices
 * first, as for a colour; only the clamp uses the run. */
void element_interpolate(struct field_run *, bool saturated, const felt x[COLUMNS], const felt weight[VERTICES][FIELDS], felt sum[FIELDS]);

#endif
