/* Choices: elements (values in the proof's fields) that are one of a few known numbers, chosen by conditions.  After cmp b, x, 0, 1 the element b
 * is a choice.  Results computed from choices and known numbers are choices, too.  Private to src/verify.
 *
 * A condition is that an element is not below 0.  A choice has a number for each combination of the conditions' outcomes. So the proof knows
 * which condition decides a comparison of the chosen number: above, -b >= 0 holds if x >= 0 does. */
#ifndef FPMOVE_VERIFY_CHOICE_H
#define FPMOVE_VERIFY_CHOICE_H

#include "verify/field_run.h"

enum { MOST_CONDITIONS = 4 };

struct choice {
	uint32_t n;
	felt by[MOST_CONDITIONS];  /* the elements of which the conditions say that they are not below 0, in increasing order */
	const struct rational *number[1 << MOST_CONDITIONS]; /* by outcomes: bit k of the index is set if condition k holds */
};

/* Returns an element that is 1 if the given element is not below 0 and else 0, and notes that it is a choice. */
felt choice_step(const struct field_run *, unsigned column, felt);
/* Notes that `sum`, the sum of elements a and b, is a choice, if one of a and b is a choice and the other is a choice or a known number.  Notes
 * nothing if the sum has more than MOST_CONDITIONS conditions, or a number that is too long or whose denominator is not a power of two. */
void choice_note_sum(const struct field_run *, unsigned column, felt a, felt b, felt sum);
/* Returns the product of elements a and b, and notes that it is a choice, under the same conditions as choice_note_sum().  If a condition on x
 * and one on -x are both in that choice, the element differs from the field's product: x and -x are never both below 0 (the proof ignores NaN),
 * so (1 - [x >= 0]) (1 - [-x >= 0]) is 0, and the polynomial of a choice has no term with both conditions. */
felt choice_product(const struct field_run *, unsigned column, felt a, felt b);
/* Computes a number from two others.  Returns false if a number would be too long. */
typedef bool number_function(struct rational *to, const struct rational *, const struct rational *);
number_function number_maximum, number_not_below; /* the greater of two numbers; 1 if the first is not below the second, else 0 */
/* Sets `to` to the function of elements a and b.  Returns false if the result is not known as a choice, for example since one of them is neither
 * a choice nor a known number, both are known numbers, or together they have more than MOST_CONDITIONS conditions. */
bool choice_function(const struct field_run *, unsigned column, felt a, felt b, number_function *, felt *to);

/* Sets the choice that the element is noted as, or the negative of that of its negative element.  Returns false if there is none. */
bool choice_of(struct known *, unsigned column, felt, struct choice *);
/* Returns the element for a choice, and notes that it is one.  The element does not depend on how a program computes the choice. */
felt choice_element(const struct field_run *, unsigned column, const struct choice *);
/* Returns the choice without the conditions on which its number does not depend. */
struct choice choice_reduced(struct choice);
/* Returns the choice that is left if condition k holds, or with `holds` false, if it fails. */
struct choice choice_given(const struct choice *, uint32_t k, bool holds);

#endif
