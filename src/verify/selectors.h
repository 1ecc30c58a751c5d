/* max, min and comparisons of field elements.  Private to src/verify.
 *
 * They are hashes of their operands, in a normal form, but where it is known which operand they select: from
 * exact numbers, or from bounds of functions (sat x, frc x, |x| ...), or by which conditions (choice.h).
 *   max is one of a set: in any order, each operand once, none that another is never below;
 *   min(a, b) = -max(-a, -b);      max(min(x, h), l) = min(max(x, l), h) for numbers l <= h, and 1 - sat(1 - x) = sat x */
#ifndef FPMOVE_VERIFY_SELECTORS_H
#define FPMOVE_VERIFY_SELECTORS_H

#include "verify/field_run.h"

felt select_max(struct field_run *, unsigned column, felt, felt);
felt select_min(struct field_run *, unsigned column, felt, felt);
/* 1 if a >= b, else 0 */
felt select_not_below(struct field_run *, unsigned column, felt a, felt b);

#endif
