/* Says what the lanes of a pixel program choose from two numbers, and by which value: cmp r0, x, c0.x, c0.y with literals, and what is
 * made of such alone. */
#ifndef FPMOVE_MOVE_RULES_CHOSEN_H
#define FPMOVE_MOVE_RULES_CHOSEN_H

#include "move/graph/flow.h"

/* An operand lane as an instruction reads it. */
struct read_lane {
	uint8_t file, lane; /* of the register */
	bool negate;
	int16_t index;
	uint32_t def;       /* see struct flow_read */
	uint32_t at;        /* that instruction */
};

/* The number of a lane where a condition fails, which is that a value is not below 0, and where it holds. */
struct chosen {
	bool known;
	uint8_t by; /* 1 + the condition's place in `list`; 0 if both numbers are one */
	float number[2];
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
/* Returns what arrives in lane `lane` of operand `s`. */
struct chosen chosen_read(const struct conditions *, uint32_t instr, unsigned s, unsigned lane);
struct read_lane read_lane_of(const struct conditions *, uint32_t instr, unsigned s, unsigned lane);
static inline bool same_read_lane(const struct read_lane *a, const struct read_lane *b)
{
	return a->file == b->file && a->index == b->index && a->lane == b->lane && a->negate == b->negate && a->def == b->def;
}

#endif
