/* The places where a new pair has a value, for outcome.c.  Private to src/verify. */
#ifndef FPMOVE_VERIFY_OUTCOME_HELD_H
#define FPMOVE_VERIFY_OUTCOME_HELD_H

#include "verify/outcome.h"
#include "verify/trace.h"

enum holder {
	BY_PS,      /* a result of the FP */
	BY_PS_READ, /* an interpolator or a constant that the FP reads */
	BY_VS,      /* a result of the VP */
	BY_VS_READ, /* an operand of the VP */
	BY_APP      /* a value that the application computes on the way to a preset constant */
};

/* A place of the new pair that holds a value. */
struct held {
	struct value_at value; /* the value without its sign */
	uint32_t instr;        /* the instruction that computes or reads it */
	uint8_t by;            /* enum holder */
	uint8_t file, lane;
	bool minus;            /* the register holds the value with the other sign */
	int16_t index;
};

struct held_list { VEC(struct held); };

/* Returns all places of the new pair, sorted by value. */
struct held_list held_find_all(struct arena *, const struct trace *ps, const struct trace *vs, const struct proof_context *);
/* Finds the places that hold the value or its negative, and sets `*n` to their number. */
const struct held *held_find(const struct held_list *, const struct value_at *, uint32_t *n);
/* Returns the place that a read holds, for a value that held_find() found there. */
struct outcome_place held_place(const struct held *, const struct value_at *);

#endif
