/* Declares what the files share that implement values.h: values.c keeps the table, fingerprint.c and sizes.c compute fields of a value, class.c
 * finds the class of a result, constants.c and affine.c make constants and affine values. */
#ifndef FPMOVE_MOVE_GRAPH_VALUES_INSIDE_H
#define FPMOVE_MOVE_GRAPH_VALUES_INSIDE_H

#include "move/graph/values.h"

/* ---- values.c ---------------------------------------------------------------------- */

/* A cache entry for a sum or product. */
struct cached_result {
	value_id a; /* 1 + the value number of the first operand, or 0 if the entry is empty */
	value_id b, result;
	bool refused; /* values.refused was set while the result was computed */
};
/* A cache entry for a literal. */
struct cached_literal {
	uint32_t bits;
	value_id id; /* 1 + the number of the literal's value, or 0 if the entry is empty */
};
enum { CACHED_RESULTS = 64, CACHED_LITERALS = 64 };
struct value_table {
	value_id *slot; /* open-addressing hash table by fingerprint, of constants and affine values only */
	uint32_t size;
	struct cached_result sum[CACHED_RESULTS], product[CACHED_RESULTS]; /* direct-mapped caches, indexed by a hash of both operands */
	struct cached_literal literal[CACHED_LITERALS];
};

/* Returns the constant or affine value with this fingerprint, or NO_VALUE if there is none. */
value_id value_find(const struct values *, struct fingerprint, uint8_t class, uint8_t kind);
/* Enlarges the hash table if it has too little room for one more constant or affine value. */
void value_grow_table(struct values *);
/* Adds a constant or affine value, which must not be in the table yet, and returns its number. */
value_id value_add(struct values *, const struct value *);

/* ---- affine.c ---------------------------------------------------------------------- */

/* Returns the product of the affine value a and the constant b.  Returns NO_VALUE if a float might not hold it. */
value_id affine_scaled(struct values *, value_id a, value_id b);
/* Returns the sum of the affine value a and a constant or an affine value that is interpolated in the same way.  Returns NO_VALUE if a float might
 * not hold it. */
value_id affine_added(struct values *, value_id a, value_id b);

/* ---- fingerprint.c ----------------------------------------------------------------- */

#define FINGERPRINT_OTHER_PRIME 4294967291u

/* Keys of fingerprint_hash() are one of these plus the number of a register lane, input or function. */
enum { KEY_RAW = 1 << 16, KEY_INPUT = 2 << 16, KEY_OP = 3 << 16, KEY_WILD = 4 << 16 };

static inline struct fingerprint fingerprint_sum(struct fingerprint x, struct fingerprint y)
{
	return (struct fingerprint){(uint32_t)(((uint64_t)x.a + y.a) % FINGERPRINT_PRIME),
	                            (uint32_t)(((uint64_t)x.b + y.b) % FINGERPRINT_OTHER_PRIME)};
}
static inline struct fingerprint fingerprint_times(struct fingerprint x, struct fingerprint y)
{
	return (struct fingerprint){fingerprint_product(x.a, y.a), (uint32_t)((uint64_t)x.b * y.b % FINGERPRINT_OTHER_PRIME)};
}
static inline struct fingerprint fingerprint_negated(struct fingerprint x)
{
	return (struct fingerprint){x.a ? FINGERPRINT_PRIME - x.a : 0, x.b ? FINGERPRINT_OTHER_PRIME - x.b : 0};
}
struct fingerprint fingerprint_inverse(struct fingerprint);
/* Returns a pseudo-random fingerprint, which depends only on the key and the argument: for functions that are not made of sums, products and
 * quotients. */
struct fingerprint fingerprint_hash(uint64_t key, struct fingerprint);
struct fingerprint fingerprint_of_number(float);
uint64_t fingerprint_mix(uint64_t);

/* ---- sizes.c ----------------------------------------------------------------------- */

struct size {
	double offset, scale; /* the value is about `offset` plus `scale` times a number of size 1; a known number has scale 0 */
};

struct size size_of(const struct values *, value_id);
struct size sizes_added(struct size, struct size);
struct size sizes_multiplied(struct size, struct size);
/* Returns true, and sets values.refused, if float arithmetic rounds the sum too much to move it: a summand is FAR_APART times the sum, or larger
 * (sets values.rounds, too).  In programs that round (values.careful), this is so also if a summand is FAR_APART times another one that is no known
 * number, since a later sum may subtract the large one again. */
bool size_is_rounded(struct values *, const struct size *added, unsigned n, struct size sum);
/* Returns true if values of this size are so large or small that products with them, in another order, may overflow or underflow.  Returns false for
 * a known number. */
bool size_is_extreme(struct size);

#endif
