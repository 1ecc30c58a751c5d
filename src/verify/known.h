/* What is known of the elements of a trial beyond which they are: the exact number that one stands for, bounds of
 * a function's value, the operands of a maximum.  Both pairs' runs share it.  Private to src/verify.
 *
 * An element that is known stands for one real function, whichever way it was come by: two have one element with
 * a chance of 2^-61.  What two different numbers of the programs' own making would do that by design is told. */
#ifndef FPMOVE_VERIFY_KNOWN_H
#define FPMOVE_VERIFY_KNOWN_H

#include "base/arena.h"
#include "verify/field.h"
#include "verify/rational.h"

struct choice;
struct fact {
	felt element;
	uint8_t field;
	bool fraction;                      /* a number in [0, 1), 1 left out */
	bool square;                        /* a number above 0 or a square, or summed up of products of such */
	bool magnitude;                     /* its magnitude was taken for another element */
	bool asked;                         /* what hangs on its value was made another element, as the value was not known */
	felt multiple_of;                   /* the element that it is a positive known number times; 0: none is noted */
	felt inverse_root;                  /* 1 over the root of that number; 0: not known */
	const struct rational *low, *high;  /* it is neither below nor above these; NULL: not known */
	const felt *of;                     /* the `n` elements, in order, whose maximum it is */
	uint32_t n;
	const struct choice *choice;        /* what conditions choose it from, see choice.h; NULL: nothing that is known */
};

struct known {
	struct arena *arena;
	struct { VEC(struct fact); } facts;
	struct { VEC(uint32_t); } slots;    /* 1 + index into facts, by a hash; 0: free.  A power of two of them */
	struct { VEC(float); } literals;    /* read but not among the facts yet */
	struct { VEC(felt); } rounded;      /* what the old pair rounds, see field_run.c */
	bool choices;                       /* some fact has one */
	bool squares;                       /* some fact says so, or of a function that it is never below 0 */
	bool late;                          /* a square or number showed only after an element had been made as if it were none */
	bool clash;                         /* two different numbers have the same element */
};

/* Bounds of an element. */
struct bounds {
	bool has_low, has_high;
	struct rational low, high;
};

/* Forgets all, for a new trial; `known` may be new. */
void known_clear(struct arena *, struct known *);
/* If a square or number showed too late, forgets all but what is one, so that the run can be done again. */
bool known_was_late(struct known *);
/* The literal may be among the operands from now on. */
static inline void known_literal(struct known *k, float literal)
{
	VEC_PUSH(k->arena, &k->literals) = literal;
}
/* The element stands for the number. */
void known_number(struct known *, unsigned column, felt, const struct rational *);
/* Something is made of the element for which it would matter which number it is. */
void known_asked(struct known *, unsigned column, felt);
/* The element of a number over a power of two; it is known from now on. */
felt known_element(struct known *, unsigned column, const struct rational *);
/* The element stands for something in [0, 1], and so does 1 less it. */
void known_share(struct known *, unsigned column, felt);
/* The first element is a positive number times the second. */
void known_multiple(struct known *, unsigned column, felt, felt of);
/* Its fact, new if there was none; valid until the next one is made. */
struct fact *known_make(struct known *, unsigned column, felt);
/* Where the search for the fact of an element and of its negative begins. */
static inline uint32_t known_place(const struct known *k, unsigned column, felt x)
{
	felt const minus = field_neg(column, x), either = x < minus ? x : minus;
	return ((uint32_t)(either ^ either >> 32) + column % FIELDS) & (k->slots.n - 1);
}
/* Returns false if neither the element nor its negative has a fact, as most have none; both are found from one place on. */
static inline bool known_may_have(const struct known *k, unsigned column, felt x)
{
	return k->literals.n || (k->slots.n && k->slots.at[known_place(k, column, x)]);
}
/* The facts of an element and of its negative, NULL where there is none.  False: neither has one. */
bool known_find_facts(struct known *, unsigned column, felt, const struct fact *of[2]);
static inline bool known_facts(struct known *k, unsigned column, felt x, const struct fact *of[2])
{
	return known_may_have(k, column, x) && known_find_facts(k, column, x, of);
}
/* NULL: there is none. */
const struct fact *known_find_fact(struct known *, unsigned column, felt);
static inline const struct fact *known_fact(struct known *k, unsigned column, felt x)
{
	return known_may_have(k, column, x) ? known_find_fact(k, column, x) : NULL;
}
/* What facts on an element and on its negative say; false: nothing. */
bool known_bounds(struct known *, unsigned column, felt, struct bounds *);
/* Returns the number that the element stands for, or its negative if it sets `negated`; NULL if that is not known. */
const struct rational *known_find_number(struct known *, unsigned column, felt, bool *negated);
static inline bool known_is_number(struct known *k, unsigned column, felt x)
{
	bool negated;
	return known_may_have(k, column, x) && known_find_number(k, column, x, &negated);
}
/* The same; sets `to`. */
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
/* The sign of a - b: 1, 0, -1; 2 if it is 1 or 0, -2 if it is -1 or 0, and 3 if nobody knows. */
enum known_order { KNOWN_NOT_ABOVE = -2, KNOWN_BELOW, KNOWN_SAME, KNOWN_ABOVE, KNOWN_NOT_BELOW, KNOWN_NOTHING };
enum known_order known_order(struct known *, unsigned column, felt a, felt b);

extern const struct rational known_zero, known_one;

#endif
