/* What interpolators carry, and how operands read it: what is asked of registers of four lanes, and packing it into them. */
#ifndef FPMOVE_MOVE_CUT_LAYOUT_H
#define FPMOVE_MOVE_CUT_LAYOUT_H

#include "move/graph/values.h"

enum { INTERPOLATORS = TEXCOORDS, PATTERN_WAYS = 8 };

/* Through which swizzles an operand can be read. */
enum reach {
	REACH_ANY,    /* any of the eight of ps_2_0, negated or not */
	REACH_SCALAR, /* a replicate swizzle, negated or not; the value stands at position x */
	REACH_LANE,   /* a replicate swizzle, not negated */
	REACH_PLAIN   /* neither swizzle nor modifier */
};

/* What an operand needs: these values at these positions. */
struct pattern {
	lanes positions;
	uint8_t reach;           /* enum reach */
	value_id value[LANES];   /* at each position */
	value_id negated[LANES]; /* its negation, or NO_VALUE where that has no number */
};

/* How a register delivers a pattern. */
struct way {
	swizzle swizzle;
	bool negate;
};

/* The interpolators: what each lane of each t# carries. */
struct layout {
	value_id lane[INTERPOLATORS][LANES]; /* NO_VALUE: free */
	uint8_t kind[INTERPOLATORS];         /* INSTR_PP | INSTR_CENTROID, or KIND_ANY while only constants ride */
	bool pinned[INTERPOLATORS];          /* keeps its number: it has lanes that the VP never writes */
	int8_t home[INTERPOLATORS];          /* the t# whose inputs it carries unchanged, or -1 */
};

/* Patterns that one register must deliver together, for they meet in one instruction. */
struct request {
	struct pattern pattern[MAX_SOURCES];
	unsigned n;
	uint8_t kind; /* or KIND_ANY */
};

/* Does the register deliver the pattern as it is? */
bool pattern_match(const value_id reg[LANES], const struct pattern *, struct way *);
/* Ways to read the pattern, by number from 0; false: there are no more. */
bool pattern_way(const struct pattern *, unsigned view, struct way *);
/* Puts its values into the lanes that the way reads; false, with some put: others are there. */
bool pattern_place(value_id reg[LANES], const struct pattern *, const struct way *);
/* Places all requests into `n` registers of `start`, the pinned ones and the lowest others.
 * Exact unless `*work`, which counts search steps down, reaches 0. */
bool layout_pack(const struct values *, const struct request *, uint32_t count, unsigned n,
                 const struct layout *start, struct layout *out, uint32_t *work);
bool layout_used(const struct layout *, unsigned reg);
/* What packing so many requests takes, in steps of as much time each, when `work` steps of its search were made. */
uint64_t layout_steps(uint32_t count, uint32_t work);
/* No packing of the requests takes fewer registers than this. */
unsigned layout_least(const struct request *, uint32_t count);

#endif
