/* Finds the lanes of a pixel program that are one of two numbers, and the value that chooses between these: cmp r0, x, c0.x, c0.y with
 * literals, and lanes computed from such results and from literals alone. */
#ifndef FPMOVE_MOVE_RULES_CHOSEN_H
#define FPMOVE_MOVE_RULES_CHOSEN_H

#include "move/graph/flow.h"

/* A register lane that an operand of an instruction reads, with the sign of the operand. */
struct read_lane {
	uint8_t file, lane; /* file and lane of the register */
	bool negate;
	int16_t index;
	uint32_t def;       /* the instruction that wrote the register lane, or FLOW_INPUT or FLOW_UNWRITTEN */
	uint32_t at;        /* the instruction that reads it */
};

/* The two numbers that a lane can be.  The condition that chooses is that some other lane is not below 0. */
struct chosen {
	bool known;
	uint8_t by;      /* 1 + the index in conditions.list of the lane that is compared with 0, or 0 if both numbers are the same */
	float number[2]; /* the lane's number if the condition fails, and if it holds */
};

struct conditions {
	const struct program *program;
	const struct folds *noted;  /* literals that do not count as numbers, since the proof does not see these; NULL if there are none */
	struct flow *flow;
	struct arena *arena;
	struct { VEC(struct read_lane); } list; /* the lanes that are compared with 0 */
	struct chosen (*of)[LANES]; /* [instruction][lane that it writes]: the numbers that the lane can be */
};

/* Finds which lanes of a checked pixel program can be one of two numbers.  Its temporaries must be below MODEL_TEMPS. */
struct conditions conditions_find(struct arena *, const struct program *, const struct folds *noted);
/* Returns the numbers that lane `lane` of the instruction's operand `s` can be. */
struct chosen chosen_read(const struct conditions *, uint32_t instr, unsigned s, unsigned lane);
/* Returns the register lane that lane `lane` of the instruction's operand `s` reads. */
struct read_lane read_lane_of(const struct conditions *, uint32_t instr, unsigned s, unsigned lane);
static inline bool same_read_lane(const struct read_lane *a, const struct read_lane *b)
{
	return a->file == b->file && a->index == b->index && a->lane == b->lane && a->negate == b->negate && a->def == b->def;
}

#endif
