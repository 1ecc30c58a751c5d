/* What the lanes of a pixel program choose among numbers, and by which values: cmp r0, x, c0.x, c0.y with literals, and what
 * is made of such alone. */
#ifndef FPMOVE_MOVE_RULES_CHOSEN_H
#define FPMOVE_MOVE_RULES_CHOSEN_H

#include "move/graph/flow.h"

enum { MOST_CONDITIONS = 3 };

/* An operand lane as an instruction reads it. */
struct read_lane {
	uint8_t file, lane; /* of the register */
	bool negate;
	int16_t index;
	uint32_t def;       /* see struct flow_read */
	uint32_t at;        /* that instruction */
};

/* A number for each way in which conditions come out, each of which is that a value is not below 0.  Of one that is no
 * condition's doing n is 0. */
struct chosen {
	bool known;
	uint8_t n;
	uint8_t by[MOST_CONDITIONS];        /* into `list`, increasing */
	float number[1 << MOST_CONDITIONS]; /* bit k of the index: condition k holds */
};

struct conditions {
	const struct program *program;
	const struct folds *noted;  /* literals that are no numbers here; NULL: none */
	struct flow *flow;
	struct arena *arena;
	struct { VEC(struct read_lane); } list;
	struct chosen (*of)[LANES]; /* what each instruction writes */
};

/* Of a checked pixel program whose temporaries are below MODEL_TEMPS. */
struct conditions conditions_find(struct arena *, const struct program *, const struct folds *noted);
/* What arrives in lane `lane` of operand `s`. */
struct chosen chosen_read(const struct conditions *, uint32_t instr, unsigned s, unsigned lane);
struct read_lane read_lane_of(const struct conditions *, uint32_t instr, unsigned s, unsigned lane);
static inline bool same_read_lane(const struct read_lane *a, const struct read_lane *b)
{
	return a->file == b->file && a->index == b->index && a->lane == b->lane && a->negate == b->negate && a->def == b->def;
}
struct chosen chosen_negated(struct chosen, bool negate);
/* The numbers that are left if condition k comes out so. */
struct chosen chosen_given(const struct chosen *, unsigned k, bool holds);
/* Is the number of each kind in all cases? */
bool chosen_all_below(const struct chosen *);
bool chosen_none_below(const struct chosen *);
/* The one condition on which it depends whether the number is below 0, and whether it is where that fails; false: there is none. */
bool chosen_sign(const struct chosen *, unsigned *condition, bool *negated);

#endif
