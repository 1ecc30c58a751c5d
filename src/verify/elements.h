/* The arithmetic of instructions on elements.  Results that are computed from literals alone are noted as exact numbers, too.  Private to
 * src/verify. */
#ifndef FPMOVE_VERIFY_ELEMENTS_H
#define FPMOVE_VERIFY_ELEMENTS_H

#include "verify/field_run.h"

felt element_add(struct field_run *, unsigned column, felt a, felt b);
felt element_sub(struct field_run *, unsigned column, felt a, felt b);
felt element_mul(struct field_run *, unsigned column, felt a, felt b);
/* Returns a b + d. */
felt element_mad(struct field_run *, unsigned column, felt a, felt b, felt d);
/* Returns b + share (a - b).  If a and b are numbers, the difference is noted as one whatever `share` is. */
felt element_choose(struct field_run *, unsigned column, felt share, felt a, felt b);
/* Returns max(x, -x). */
felt element_magnitude(struct field_run *, unsigned column, felt);
/* Returns |x| as the instruction abs computes it: a square is its own magnitude. */
felt element_absolute(struct field_run *, unsigned column, felt);
/* Returns the greater of two elements, by element_absolute() if they are x and -x. */
felt element_greater(struct field_run *, unsigned column, felt, felt);
felt element_saturate(struct field_run *, unsigned column, felt);

/* Returns a random element made from a hash.  In a `small` run it is a random number, which is noted. */
felt element_anything(struct field_run *, unsigned column, uint64_t hash);
/* Returns the value of an arbitrary function: the same for the same operand, and otherwise unknown. */
felt element_function(struct field_run *, unsigned column, enum field_tag, uint64_t operand);
/* Returns the unknown content of a place in a register; `a` and `b` are below 2^16. */
felt element_unknown(struct field_run *, unsigned column, enum field_tag, unsigned a, unsigned b, unsigned lane);
/* Notes that the element is not below 0, and returns it. */
felt element_positive(struct field_run *, unsigned column, felt);
/* Return 2^x, rsq |x|, log |x|, x - floor x and floor x.  2^0 is 1, so that x^0 is 1 as x / x is; rsq of n x with a known number n > 0
 * is rsq x over the root of n. */
felt element_exp(struct field_run *, unsigned column, felt);
felt element_rsq(struct field_run *, unsigned column, felt);
felt element_log(struct field_run *, unsigned column, felt);
felt element_fraction(struct field_run *, unsigned column, felt);
felt element_floor(struct field_run *, unsigned column, felt);
/* Notes that `sum`, the sum of squares of the three elements, is n^2 times that of x, y and z, if they are known to be n x, n y and n z. */
void element_note_scale(struct field_run *, unsigned column, const felt vector[3], felt sum);
/* Computes the value in the pixel of a lane that the VP writes, whether or not an interpolator carries it.  `saturated` clamps the
 * values at the vertices first, as for a colour; the run is not used otherwise. */
void element_interpolate(struct field_run *, bool saturated, const felt x[COLUMNS], const felt weight[VERTICES][FIELDS], felt sum[FIELDS]);

#endif
