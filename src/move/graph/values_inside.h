/* What the files behind values.h share: values.c, the table; fingerprint.c and sizes.c, what is kept of a value;
 * class.c, which class a result has, then made by constants.c or affine.c. */
#ifndef FPMOVE_MOVE_GRAPH_VALUES_INSIDE_H
#define FPMOVE_MOVE_GRAPH_VALUES_INSIDE_H

#include "move/graph/values.h"

/* ---- values.c ---------------------------------------------------------------------- */

/* A sum or product that was made before; `a` is 1 + the number of the first. */
struct made_value {
	value_id a, b, result;
	bool rounds;
};
/* A literal that was asked for before; 1 + its number, or 0. */
struct made_literal {
	uint32_t bits;
	value_id id;
};
enum { MADE_VALUES = 64, MADE_LITERALS = 64 };
struct value_table {
	value_id *slot; /* open hash by fingerprint, constants and affine values only */
	uint32_t size;
	struct made_value sum[MADE_VALUES], product[MADE_VALUES]; /* the last ones, as they fell */
	struct made_literal literal[MADE_LITERALS];
};

/* A constant or affine value with this fingerprint; NO_VALUE: there is none. */
value_id value_find(const struct values *, struct fingerprint, uint8_t class, uint8_t kind);
/* A constant or affine value that is not there yet. */
value_id value_add(struct values *, const struct value *);

/* ---- affine.c ---------------------------------------------------------------------- */

/* Each term and the constant of an affine value times constant b; NO_VALUE: a float might not hold that. */
value_id affine_scaled(struct values *, value_id a, value_id b);
/* An affine value plus another of its kind, or a constant; NO_VALUE as above. */
value_id affine_added(struct values *, value_id a, value_id b);

/* ---- fingerprint.c ----------------------------------------------------------------- */

#define FINGERPRINT_OTHER_PRIME 4294967291u

/* First arguments of fingerprint_hash, far enough apart for all registers and inputs. */
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
/* Of a function that is not algebraic: as good as random, but the same for the same arguments. */
struct fingerprint fingerprint_hash(uint64_t key, struct fingerprint);
struct fingerprint fingerprint_of_number(float);
uint64_t fingerprint_mix(uint64_t);

/* ---- sizes.c ----------------------------------------------------------------------- */

struct size {
	double offset, scale; /* as in struct value; a known one has no scale */
};

struct size size_of(const struct values *, value_id);
struct size sizes_added(struct size, struct size);
struct size sizes_multiplied(struct size, struct size);
/* Does float arithmetic round the sum: has one of what is added up more than FAR_APART
 * of what is left?  Where the programs do such a thing, what comes before it is as bad: of something that is added has
 * more than that of something else. */
bool size_is_rounded(struct values *, const struct size *added, unsigned n, struct size sum);
/* Is what is multiplied so far from 1 that in another order a float might not hold it? */
bool size_is_extreme(struct size);

#endif
