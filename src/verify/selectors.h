/* Computes max, min and comparisons of elements of the proof's fields.  Private to src/verify.
 *
 * Where exact numbers, bounds of functions (sat x, frc x, |x| ...) or conditions (choice.h) tell which operand is
 * selected, the result is that operand.  Otherwise it is a hash of the operands in a normal form:
 *   max is the maximum of a set, which has each operand once, and no operand that is never above another;
 *   min(a, b) = -max(-a, -b);      max(min(x, h), l) = min(max(x, l), h) for numbers l <= h, and 1 - sat(1 - x) = sat x */
#ifndef FPMOVE_VERIFY_SELECTORS_H
#define FPMOVE_VERIFY_SELECTORS_H

#include "verify/field_run.h"

felt select_max(struct field_run *, unsigned column, felt, felt);
felt select_min(struct field_run *, unsigned column, felt, felt);
/* Returns 1 if a >= b, else 0. */
felt select_not_below(struct field_run *, unsigned column, felt a, felt b);

#endif
