/* Delivers oT lanes as sums: registers times factors, plus a rest (a constant). vertex_sum.c splits a lane into summands, vertex_column.c writes the
 * lanes of one register together. */
#ifndef FPMOVE_MOVE_COVER_VERTEX_SUM_H
#define FPMOVE_MOVE_COVER_VERTEX_SUM_H

#include "move/cover/vertex.h"

/* Limits of one lane: atoms (constants that must be computed), and summands.  A column (vertex_column.c) has one summand of each lane. */
enum { MOST_ATOMS = 8, MOST_COLUMNS = INTERPOLATORS * LANES + MOST_ATOMS };

/* Says where the VP reads a summand. */
enum summand_place {
	PLACE_INPUT, /* in a register that holds an input of the FP, an old oT lane */
	PLACE_RAW,   /* in a constant register that the application sets */
	PLACE_MADE   /* in the register where vertex_constant finds or puts a constant */
};

/* One summand of a lane: the value at a place, times a factor. */
struct summand {
	uint8_t place;     /* enum summand_place */
	bool finite;       /* it is never infinite, so that 0 times it is 0 */
	struct vs_lane at; /* for PLACE_INPUT, the register lane; for PLACE_RAW, the number of the constant, as in `reg` of struct value, and its
	                    * lane */
	value_id atom;     /* for PLACE_RAW and PLACE_MADE the constant's value */
	value_id factor;
};

/* A lane as a sum: its summands plus a rest. */
struct lane_sum {
	unsigned n;
	struct summand of[MOST_COLUMNS];
	value_id rest;
};

/* Splits a value that the VP must deliver into a sum.  `raw` is the old oT lane that equals it, 4 * oT# + lane, or -1 if there is none. */
void sum_of_lane(struct vertex_writer *, value_id, int raw, struct lane_sum *);

#endif
