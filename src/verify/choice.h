/* Elements that conditions choose from a few numbers, as cmp b, x, 0, 1 does, and results computed from these alone.
 * Private to src/verify.
 *
 * A condition is that an element is not below 0.  A choice has a number for each combination of the conditions' outcomes.
 * So the proof knows which condition decides a comparison of the chosen number: -b >= 0 above holds if x >= 0 does. */
#ifndef FPMOVE_VERIFY_CHOICE_H
#define FPMOVE_VERIFY_CHOICE_H

#include "verify/field_run.h"

enum { MOST_CONDITIONS = 4 };

struct choice {
	uint32_t n;
	felt by[MOST_CONDITIONS];  /* the elements that the conditions compare with 0, in increasing order */
	const struct rational *number[1 << MOST_CONDITIONS]; /* by outcomes: bit k of the index is set if condition k holds */
};

/* Returns an element that is 1 if the given one is not below 0 and else 0, and notes it as a choice. */
felt choice_step(const struct field_run *, unsigned column, felt);
/* Notes which choice the sum of two elements is, if each of them is a choice or a number. */
void choice_note_sum(const struct field_run *, unsigned column, felt a, felt b, felt sum);
/* Returns the product of two elements, and notes which choice it is.  x and -x are never both below 0, but for NaN, which every
 * change of a program has to exclude.  So (1 - [x >= 0]) (1 - [-x >= 0]) = 0, and the element of a choice has no product of both. */
felt choice_product(const struct field_run *, unsigned column, felt a, felt b);
/* Sets `to` to the greater of two elements.  Returns false if the result is not known as a choice: one element is neither a choice
 * nor a number, both are numbers, or they have too many conditions. */
bool choice_max(const struct field_run *, unsigned column, felt a, felt b, felt *to);
/* Sets `to` to 1 if a >= b and else to 0.  Returns false as choice_max() does. */
bool choice_not_below(const struct field_run *, unsigned column, felt a, felt b, felt *to);

/* Finds the choice that the element is known as, or returns false if there is none.  Each of its conditions matters. */
bool choice_of(struct known *, unsigned column, felt, struct choice *);
/* Returns the element of a choice, which is the same for every way to compute that choice, and notes it. */
felt choice_element(const struct field_run *, unsigned column, const struct choice *);
/* Removes the conditions that change nothing. */
struct choice choice_reduced(struct choice);
/* Returns the choice that is left if condition k holds, or if it fails. */
struct choice choice_given(const struct choice *, uint32_t k, bool holds);

#endif
