/* Computes what instructions make of elements, and keeps what they make of literals alone as exact numbers, too.  Private to src/verify. */
#ifndef FPMOVE_VERIFY_ELEMENTS_H
#define FPMOVE_VERIFY_ELEMENTS_H

#include "verify/field_run.h"

felt element_add(struct field_run *, unsigned column, felt a, felt b);
felt element_sub(struct field_run *, unsigned column, felt a, felt b);
felt element_mul(struct field_run *, unsigned column, felt a, felt b);
/* Returns a b + d. */
felt element_mad(struct field_run *, unsigned column, felt a, felt b, felt d);
/* Returns b + share (a - b): of numbers a and b what is chosen is known, whatever chooses. */
felt element_choose(struct field_run *, unsigned column, felt share, felt a, felt b);
/* Returns max(x, -x); element_absolute: of a square the square, as abs makes it. */
felt element_magnitude(struct field_run *, unsigned column, felt);
felt element_absolute(struct field_run *, unsigned column, felt);
/* Returns the greater of two. */
felt element_greater(struct field_run *, unsigned column, felt, felt);
felt element_saturate(struct field_run *, unsigned column, felt);

/* Returns an element that a hash gives: a random one, or a random number that is known where the run is `small`. */
felt element_anything(struct field_run *, unsigned column, uint64_t hash);
/* Returns a function's value, of which nothing is known but that it is the same for the same operand. */
felt element_function(struct field_run *, unsigned column, enum field_tag, uint64_t operand);
/* Returns what stands in a place of which nothing is known; `a` and `b` are below 2^16. */
felt element_unknown(struct field_run *, unsigned column, enum field_tag, unsigned a, unsigned b, unsigned lane);
/* Notes that an element, which it returns, is not below 0. */
felt element_positive(struct field_run *, unsigned column, felt);
/* Return 2^x, rsq |x|, log |x|, x - floor x and floor x. */
felt element_exp(struct field_run *, unsigned column, felt);
felt element_rsq(struct field_run *, unsigned column, felt);
felt element_log(struct field_run *, unsigned column, felt);
felt element_fraction(struct field_run *, unsigned column, felt);
felt element_floor(struct field_run *, unsigned column, felt);
/* Notes that the sum of squares of three multiples of x, y and z by one number is a multiple, by its square, of the sum of theirs. */
void element_note_scale(struct field_run *, unsigned column, const felt vector[3], felt sum);

#endif
