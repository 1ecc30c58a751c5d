/* Lanes that the VP delivers as sums: registers times numbers, plus a rest.  vertex_sum.c takes a lane apart, vertex_column.c writes
 * lanes of one register beside each other. */
#ifndef FPMOVE_MOVE_COVER_VERTEX_SUM_H
#define FPMOVE_MOVE_COVER_VERTEX_SUM_H

#include "move/cover/vertex.h"

enum { MOST_ATOMS = 8, MOST_COLUMNS = INTERPOLATORS * LANES + MOST_ATOMS }; /* a lane has no more of either */

enum origin { PLACE_INPUT, PLACE_RAW, PLACE_MADE };

/* One summand of a lane. */
struct summand {
	uint8_t place; /* enum origin */
	bool finite;
	struct vs_lane at; /* PLACE_INPUT; of PLACE_RAW the constant, as values number it, and its lane */
	value_id atom;     /* PLACE_RAW, PLACE_MADE */
	value_id factor;
};

struct lane_sum {
	unsigned n;
	struct summand of[MOST_COLUMNS];
	value_id rest;
};

/* The lane as a sum.  `raw`: the old lane that it is, or -1. */
void sum_of_lane(struct vertex_writer *, value_id, int raw, struct lane_sum *);

#endif
