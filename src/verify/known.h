/* Facts about the elements of a trial: the exact number that an element stands for, bounds of a function's value, the
 * operands of a maximum.  The runs of both pairs share them.  Private to src/verify.
 *
 * A fact holds for the real function that the element stands for, however a program computes it: two functions share an
 * element with a chance of 2^-61 only.  If literals were chosen so that two numbers share one, `clash` tells. */
#ifndef FPMOVE_VERIFY_KNOWN_H
#define FPMOVE_VERIFY_KNOWN_H

#include "base/arena.h"
#include "verify/field.h"
#include "verify/rational.h"

struct choice;
struct fact {
	felt element;
	uint8_t field;
	bool fraction;                      /* it is a number in [0, 1) */
	bool square;                        /* it is a positive number, a square, or a sum of products of these */
	bool magnitude;                     /* another element was made for its magnitude */
	bool asked;                         /* an element that depends on its value was made while the value was unknown */
	felt multiple_of;                   /* the element that a known positive number multiplied to give it; 0 if none is noted */
	felt inverse_root;                  /* 1 over the root of that number; 0 if it is not known */
	const struct rational *low, *high;  /* its bounds, NULL if unknown; one pointer in both if it is that number */
	const felt *of;                     /* the `n` elements, in increasing order, whose maximum it is */
	uint32_t n;
	const struct choice *choice;        /* the choice that it is, see choice.h; NULL if none is known */
};

struct known {
	struct arena *arena;
	struct { VEC(struct fact); } facts;
	struct { VEC(uint32_t); } slots;    /* a hash table of 1 + index into `facts`, 0 in a free slot; its size is a power of two */
	struct { VEC(float); } literals;    /* literals that were read and are not among the facts yet */
	struct { VEC(felt); } rounded;      /* elements that the old pair rounds, see field_run.c */
	bool choices;                       /* a fact has a choice */
	bool squares;                       /* a fact says that an element is a square, or the value of a function that is never below 0 */
	bool late;                          /* an element proved to be a square or number after others had been made as if it were not */
	bool clash;                         /* two different numbers have the same element */
};

struct bounds {
	bool has_low, has_high;
	struct rational low, high;
};

/* Removes all facts, for a new trial; `known` need not be initialised. */
void known_clear(struct arena *, struct known *);
/* Returns `late`; if it is set, removes all facts but the squares and numbers, so that the run can be repeated with these. */
bool known_was_late(struct known *);
/* Returns a copy of the number that lives as long as the facts. */
const struct rational *known_keep(struct known *, const struct rational *);
/* Notes that a program reads the literal. */
static inline void known_literal(struct known *k, float literal)
{
	VEC_PUSH(k->arena, &k->literals) = literal;
}
/* Notes that the element stands for the number. */
void known_number(struct known *, unsigned column, felt, const struct rational *);
/* Notes that an element is made that depends on the unknown value of this one. */
void known_asked(struct known *, unsigned column, felt);
/* Returns the element of a number whose denominator is a power of two, and notes the number. */
felt known_element(struct known *, unsigned column, const struct rational *);
/* Notes that the element x, and so 1 - x, is in [0, 1]. */
void known_share(struct known *, unsigned column, felt);
/* Notes that the first element is a positive number times the second. */
void known_multiple(struct known *, unsigned column, felt, felt of);
/* Returns the element's fact, which it makes if there is none; valid until the next fact is made. */
struct fact *known_make(struct known *, unsigned column, felt);
/* Returns the slot at which the search for the facts of an element and its negative begins. */
static inline uint32_t known_place(const struct known *k, unsigned column, felt x)
{
	felt const minus = field_neg(column, x), either = x < minus ? x : minus;
	return ((uint32_t)(either ^ either >> 32) + column % FIELDS) & (k->slots.n - 1);
}
/* Returns false if neither the element nor its negative has a fact, which is so for most elements. */
static inline bool known_may_have(const struct known *k, unsigned column, felt x)
{
	return k->literals.n || (k->slots.n && k->slots.at[known_place(k, column, x)]);
}
/* Finds the facts of an element and of its negative, each NULL if there is none.  Returns false if both are. */
bool known_find_facts(struct known *, unsigned column, felt, const struct fact *of[2]);
static inline bool known_facts(struct known *k, unsigned column, felt x, const struct fact *of[2])
{
	return known_may_have(k, column, x) && known_find_facts(k, column, x, of);
}
/* Returns the element's fact, or NULL if there is none. */
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
/* Returns how a compares with b, as far as the facts tell. */
enum known_order { KNOWN_NOT_ABOVE = -2, KNOWN_BELOW, KNOWN_SAME, KNOWN_ABOVE, KNOWN_NOT_BELOW, KNOWN_NOTHING };
enum known_order known_order(struct known *, unsigned column, felt a, felt b);

extern const struct rational known_zero, known_one;

#endif
