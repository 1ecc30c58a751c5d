/* What conditions choose among a few numbers: cmp b, x, 0, 1 and what is made of such alone.  Private to src/verify.
 *
 * A condition is that an element is not below 0.  The number is noted for each way in which the conditions may come out,
 * so that it is known by which of them a comparison of what was chosen decides: of -b >= 0 above, by x >= 0. */
#ifndef FPMOVE_VERIFY_CHOICE_H
#define FPMOVE_VERIFY_CHOICE_H

#include "verify/field_run.h"

enum { MOST_CONDITIONS = 4 };

struct choice {
	uint32_t n;
	felt by[MOST_CONDITIONS];  /* increasing */
	const struct rational *number[1 << MOST_CONDITIONS]; /* bit k of the index: condition k holds */
};

/* 1 if the element is not below 0, else 0, and known to be that. */
felt choice_step(const struct field_run *, unsigned column, felt);
/* Notes what is known of the sum of two elements: whatever it is of choices and numbers. */
void choice_note_sum(const struct field_run *, unsigned column, felt a, felt b, felt sum);
/* Returns the product of two elements, of which as much is known then.  x and -x are never both below 0, but for NaN, which whoever
 * changes a program has to exclude: so (1 - [x >= 0]) (1 - [-x >= 0]) = 0, and no element of a choice has a product of both. */
felt choice_product(const struct field_run *, unsigned column, felt a, felt b);
/* The greater of two, and 1 if a >= b, else 0.  False: one of them is neither a choice nor a number, or both are numbers. */
bool choice_max(const struct field_run *, unsigned column, felt a, felt b, felt *to);
bool choice_not_below(const struct field_run *, unsigned column, felt a, felt b, felt *to);

/* What is chosen, by conditions each of which matters; false: the element is no choice. */
bool choice_of(struct known *, unsigned column, felt, struct choice *);
/* The element of a choice, whichever way it was come by; it is known from now on. */
felt choice_element(const struct field_run *, unsigned column, const struct choice *);
/* Without the conditions that change nothing. */
struct choice choice_reduced(struct choice);
/* What is left if condition k comes out so. */
struct choice choice_given(const struct choice *, uint32_t k, bool holds);

#endif
