/* Facts about elements, the values in the proof's fields: the exact number that an element stands for, bounds of a function's value, the
 * operands of a maximum.  The runs of both pairs in a trial share them.  Private to src/verify.
 *
 * A fact holds for the real function that the element stands for, however a program computes it: two functions share an
 * element with a chance of 2^-61 only.  If literals were chosen so that two numbers share an element, `clash` is set. */
#ifndef FPMOVE_VERIFY_KNOWN_H
#define FPMOVE_VERIFY_KNOWN_H

#include "base/arena.h"
#include "verify/field.h"
#include "verify/rational.h"

struct choice;
struct fact {
	felt element;
	uint8_t field;
	bool fraction;                      /* the element stands for a number in [0, 1), such as a result of frc */
	bool square;                        /* the element stands for a positive number, a square, or a sum of products of these */
	bool magnitude;                     /* the magnitude of this element has been made another element, which is wrong if this one is a square */
	bool asked;                         /* an element that depends on this one's exact number was made while that number was unknown */
	felt multiple_of;                   /* the element of which this one is a multiple, by a known positive number; 0 if none is noted */
	felt inverse_root;                  /* 1 over the root of the number by which `multiple_of` is multiplied; 0 if it is not known */
	const struct rational *low, *high;  /* bounds of the value, each NULL if unknown; the element stands for a number if both point to it */
	const felt *of;                     /* the n elements, in increasing order, of which this element is the maximum */
	uint32_t n;
	const struct choice *choice;        /* the choice among numbers that the element is, see choice.h; NULL if none is known */
};

struct known {
	struct arena *arena;
	struct { VEC(struct fact); } facts;
	struct { VEC(uint32_t); } slots;    /* a hash table of 1 + index into `facts`, 0 in a free slot; its size is a power of two */
	struct { VEC(felt); } rounded;      /* elements that float arithmetic of the old pair rounds, see round_to_step() */
	bool choices;                       /* at least one fact has a choice */
	bool squares;                       /* at least one fact says that an element is a square, or the value of a function that is never below 0 */
	bool late;                          /* an element was found to be a square or a number only after elements had been made as if it were not */
	bool clash;                         /* two different numbers have the same element */
};

struct bounds {
	bool has_low, has_high;
	struct rational low, high;
};

/* Removes all facts, for a new trial; `known` need not be initialised. */
void known_clear(struct arena *, struct known *);
/* Returns `late`.  If it is set, keeps only the facts of which elements are squares or numbers, so that the run can be repeated with these. */
bool known_was_late(struct known *);
/* Returns a copy of the number that lives as long as the facts. */
const struct rational *known_keep(struct known *, const struct rational *);
/* Notes that the literal's element stands for a known number, in each field. */
void known_literal(struct known *, float);
/* Notes that the element stands for the number.  Sets `clash` if it is noted for a different number already, and `late` if an element was made
 * while the number was unknown (known_asked()). */
void known_number(struct known *, unsigned column, felt, const struct rational *);
/* Notes that an element is made which would be different if the exact number of this element were known. */
void known_asked(struct known *, unsigned column, felt);
/* Returns the element that stands for a number, and notes that it does.  The number's denominator must be a power of two. */
felt known_element(struct known *, unsigned column, const struct rational *);
/* Notes that the element x, and so 1 - x, is in [0, 1]. */
void known_share(struct known *, unsigned column, felt);
/* Notes that the element is a positive number times the element `of`, unless it is noted as a multiple already or the notes would make a cycle. */
void known_multiple(struct known *, unsigned column, felt, felt of);
/* Returns the facts of an element, and makes empty ones if it has none.  The pointer is valid until the next call. */
struct fact *known_make(struct known *, unsigned column, felt);
/* Returns the slot at which the search for the facts of an element and its negative begins. */
static inline uint32_t known_place(const struct known *k, unsigned column, felt x)
{
	felt const minus = field_neg(column, x), either = x < minus ? x : minus;
	return ((uint32_t)(either ^ either >> 32) + column % FIELDS) & (k->slots.n - 1);
}
/* Returns true if the element or its negative may have facts.  False, as for most elements, is certain. */
static inline bool known_may_have(const struct known *k, unsigned column, felt x)
{
	return k->slots.at[known_place(k, column, x)];
}
/* Finds the facts of an element and of its negative, each NULL if there are none.  Returns false if both are NULL. */
bool known_find_facts(struct known *, unsigned column, felt, const struct fact *of[2]);
static inline bool known_facts(struct known *k, unsigned column, felt x, const struct fact *of[2])
{
	return known_may_have(k, column, x) && known_find_facts(k, column, x, of);
}
/* Returns the facts of an element, or NULL if there are none. */
const struct fact *known_find_fact(struct known *, unsigned column, felt);
static inline const struct fact *known_fact(struct known *k, unsigned column, felt x)
{
	return known_may_have(k, column, x) ? known_find_fact(k, column, x) : NULL;
}
/* Finds the bounds of an element from the facts of it and its negative.  Returns false if none are known. */
bool known_bounds(struct known *, unsigned column, felt, struct bounds *);
/* Returns the number that the element stands for, or the negative of that number if `*negated` is set; NULL if it is not known. */
const struct rational *known_find_number(struct known *, unsigned column, felt, bool *negated);
static inline bool known_is_number(struct known *k, unsigned column, felt x)
{
	bool negated;
	return known_may_have(k, column, x) && known_find_number(k, column, x, &negated);
}
/* Sets `to` to the number that the element stands for.  Returns false if it is not known. */
static inline bool known_exact(struct known *k, unsigned column, felt x, struct rational *to)
{
	bool negated;
	const struct rational *number = known_may_have(k, column, x) ? known_find_number(k, column, x, &negated) : NULL;
	if (!number)
		return false;
	*to = *number;
	to->negative ^= negated;
	return true;
}
/* The result of known_order(), which compares the values of elements a and b as far as the facts tell.  If they do not tell, known_order() calls
 * known_asked(). */
enum known_order { KNOWN_NOT_ABOVE = -2, KNOWN_BELOW, KNOWN_SAME, KNOWN_ABOVE, KNOWN_NOT_BELOW, KNOWN_NOTHING };
enum known_order known_order(struct known *, unsigned column, felt a, felt b);

extern const struct rational known_zero, known_one;

#endif
