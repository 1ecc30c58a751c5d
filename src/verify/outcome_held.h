/* Finds the places of a new pair that hold a value: where its programs or the application compute or read it.  For outcome.c.  Private to
 * src/verify. */
#ifndef FPMOVE_VERIFY_OUTCOME_HELD_H
#define FPMOVE_VERIFY_OUTCOME_HELD_H

#include "verify/outcome.h"
#include "verify/trace.h"

/* Kinds of places that hold a value. */
enum holder {
	BY_PS,      /* the result of an FP instruction */
	BY_PS_READ, /* an interpolator or a constant that the FP reads */
	BY_VS,      /* the result of a VP instruction */
	BY_VS_READ, /* an operand of a VP instruction */
	BY_APP      /* a value that the application computes on the way to a preset constant */
};

/* A place of the new pair that holds a value. */
struct held {
	struct value_at value; /* the value x or -x, whichever without_sign() chooses */
	uint32_t same;         /* in the first place that holds a value, the number of places that hold it or its negative; else 0 */
	uint32_t instr;        /* the instruction that computes or reads the value */
	uint8_t by;            /* enum holder */
	uint8_t file, lane;
	bool minus;            /* the register holds the negative of `value` */
	int16_t index;
};

struct held_list { VEC(struct held); };

/* Returns all places of the new pair that hold values, sorted by value. */
struct held_list held_find_all(struct arena *, const struct trace *ps, const struct trace *vs, const struct proof_context *);
/* Returns the first place that holds the value or its negative, or if there is none, a place whose `same` is 0. */
const struct held *held_find(const struct held_list *, const struct value_at *);
/* Loops over the places `h` that hold the value or its negative. */
#define EACH_HELD(h, list, value) for (const struct held *h = held_find(list, value), *h##_end = h + h->same; h < h##_end; h++)
/* Returns the register lane of a place BY_PS_READ that holds this value or its negative; `negated` tells which. */
struct outcome_place held_place(const struct held *, const struct value_at *);

#endif
