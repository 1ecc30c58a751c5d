/* Small damage to a program, like mistakes of the mover. */
#ifndef FPMOVE_TESTS_DAMAGE_H
#define FPMOVE_TESTS_DAMAGE_H

#include "lang/ir.h"

enum damage {
	DAMAGE_MASK_LANE_LOST,
	DAMAGE_MASK_LANE_ADDED,
	DAMAGE_MASK_SHIFTED,
	DAMAGE_SWIZZLE_LANE_CHANGED,
	DAMAGE_SWIZZLE_ROTATED,
	DAMAGE_SWIZZLE_DROPPED,
	DAMAGE_SIGN_CHANGED,
	DAMAGE_TEMP_MISREAD,
	DAMAGE_CONST_MISNUMBERED,
	DAMAGE_INTERPOLATOR_MISREAD,
	DAMAGE_VERTEX_INPUT_MISREAD,
	DAMAGE_SAMPLER_MISNUMBERED,
	DAMAGE_RELATIVE_OFFSET_CHANGED,
	DAMAGE_FILE_MIXED_UP,
	DAMAGE_TEMP_MISWRITTEN,
	DAMAGE_INTERPOLATOR_MISWRITTEN,
	DAMAGE_TARGET_MISWRITTEN,
	DAMAGE_OPCODE_CHANGED,
	DAMAGE_OPERANDS_EXCHANGED,
	DAMAGE_LIMIT_MOVED,
	DAMAGE_OPERAND_REPEATED,
	DAMAGE_INSTR_DROPPED,
	DAMAGE_NEIGHBOUR_OVERWRITTEN,
	DAMAGE_ORDER_CHANGED,
	DAMAGE_DEPTH_CHANGED,
	DAMAGE_CLAMP_CHANGED,
	DAMAGE_REGROUPED, /* equal in real numbers, rounded otherwise */
	DAMAGE_UNROUNDED, /* equal in real numbers, too */
	DAMAGE_LITERAL_NUDGED,
	DAMAGE_LITERAL_RESCALED,
	DAMAGE_LITERAL_NEGATED,
	DAMAGE_LITERAL_LOST,
	DAMAGE_CENTROID_CHANGED,
	DAMAGE_TEXTURE_CHANGED,
	DAMAGE_USAGE_CHANGED,
	/* of flow control */
	DAMAGE_BRANCHES_SWAPPED,
	DAMAGE_CONDITION_CHANGED,
	DAMAGE_PREDICATE_CHANGED,
	DAMAGE_BREAK_REMOVED,
	DAMAGE_LEFT_BLOCK,
	DAMAGE_END_MOVED,
	DAMAGE_CALL_CHANGED,
	DAMAGE_TRUTH_CHANGED,
	DAMAGE_COUNTER_CHANGED,
	DAMAGE_COUNT_CHANGED,
	DAMAGE_TRUTH_TURNED,
	DAMAGES,
	STRAIGHT_DAMAGES = DAMAGE_BRANCHES_SWAPPED
};

struct damage_kind {
	const char *name;
	/* Damages instruction (or declaration) k of a copy; `turn` numbers the ways to do it.  Returns false if there are no more
	 * ways.  Sometimes nothing changes. */
	bool (*apply)(struct program *, uint32_t k, unsigned turn);
	bool of_decl;
};
extern const struct damage_kind damage_kinds[DAMAGES];

static inline unsigned sources(const struct instr *i)
{
	return ops[i->op].sources;
}

static inline bool writes(const struct instr *i)
{
	return instr_writes(i) != 0;
}

/* Returns whether an operand is a sampler or one of flow control, which has no swizzle and no sign. */
static inline bool is_sampler(const struct src *s)
{
	return s->file == REG_SAMPLER || s->file == REG_BOOL || s->file == REG_INT || s->file == REG_LOOP || s->file == REG_LABEL ||
	       s->file == REG_PREDICATE;
}

/* Returns whether the blocks of a damaged program still nest; the reader would refuse others. */
bool damage_nests(const struct program *);

#endif
