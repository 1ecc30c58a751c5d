/* Delivers oT lanes as sums: register lanes times constant factors, plus a constant. vertex_sum.c splits the value of a lane into summands,
 * vertex_column.c writes the lanes of one oT# together. */
#ifndef FPMOVE_MOVE_COVER_VERTEX_SUM_H
#define FPMOVE_MOVE_COVER_VERTEX_SUM_H

#include "move/cover/vertex.h"

/* Limits of the number of atoms (constants that the VP reads or computes) and of summands in one lane. */
enum { MOST_ATOMS = 8, MOST_COLUMNS = INTERPOLATORS * LANES + MOST_ATOMS };

/* Kinds of registers in which the VP reads a summand. */
enum summand_place {
	PLACE_INPUT, /* a register that holds an oT lane of the old VP */
	PLACE_RAW,   /* a constant register that the application sets */
	PLACE_MADE   /* the register that vertex_constant() returns for a constant */
};

/* One summand of a lane: the value at a place, times a factor. */
struct summand {
	uint8_t place;     /* enum summand_place */
	bool finite;       /* the value is never infinite, so that 0 times it is 0 */
	struct vs_lane at; /* for PLACE_INPUT, the register lane; for PLACE_RAW, the number of the constant, as in `reg` of struct value, and its
	                    * lane */
	value_id atom;     /* for PLACE_RAW and PLACE_MADE the constant's value */
	value_id factor;
};

/* A lane as a sum: its summands plus a rest. */
struct lane_sum {
	unsigned n;
	struct summand of[MOST_COLUMNS];
	value_id rest; /* a constant */
};

/* Splits a value that the VP must deliver into a sum.  `raw` is the old oT lane that has the value, 4 * oT# + lane, which is then the only summand;
 * -1 if there is none. */
void sum_of_lane(struct vertex_writer *, value_id, int raw, struct lane_sum *);

#endif
