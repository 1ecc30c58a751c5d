/* Lanes that the VP delivers as sums: registers times numbers, plus a rest.  Inside DELIVER_LINEAR and DELIVER_GATHERED:
 * vertex_sum.c takes a lane apart, vertex_column.c writes lanes of one register beside each other, vertex_linear.c goes through
 * all interpolators and computes first what several of them begin with. */
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

/* The lane as a sum.  `raw`: the old lane that it is, or -1.  `gather`: constants are not read where the application sets them.
 * `same`: left if that makes no difference. */
void sum_of_lane(struct vertex_writer *, value_id, int raw, bool gather, bool *same, struct lane_sum *);
/* Do both read one register? */
static inline bool sum_same_place(const struct summand *a, const struct summand *b)
{
	return a->place == b->place && a->at.file == b->at.file && a->at.index == b->at.index && a->at.negate == b->at.negate;
}

/* The best way to part the lanes `todo` into groups, each lined up in columns: its instructions, constants apart, and for each
 * set of lanes the first group of them.  UINT_MAX: not to be had. */
unsigned columns_best(const struct vertex_writer *, const struct lane_sum *sums, lanes todo, lanes part[MASK_XYZW + 1]);
/* Appends them; the instructions that it takes, constants apart. */
unsigned columns_put(struct vertex_writer *, enum reg_file, int reg, const struct lane_sum *sums, lanes todo);

#endif
