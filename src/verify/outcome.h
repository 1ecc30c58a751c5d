/* Finds the outcome of each instruction of a pixel program, that is what became of it, from the given pair and the written one alone.  Does
 * not rely on the mover's records, except to tell which of several equal values belongs to which line.
 *
 * Each lane of the given FP has a value: an element of the proof's fields, which two different functions of the inputs share with
 * a chance of 2^-120.  The place where the new pair has that value, or its negative, decides the outcome of the lane.  It is the
 * first of these that is true:
 *
 *   dead        no output depends on the lane in the given FP, and the new FP does not compute it
 *   kept        the new FP computes it by the same opcode from operands of the same values; for a texkill, the new FP has one
 *               that kills the same pixels
 *   folded      it is a number, or made of literals alone, and no longer computed: a literal of the new pair holds it, or holds
 *               the result of its readers
 *   recomputed  the new FP computes it by another opcode or from operands of other values (a mov of it does not count)
 *   moved       the new FP reads it from an interpolator or a preset constant, and does not compute it, except by an instruction
 *               that another old one is kept as.  Or all readers of the lane have moved so, and the VP has the value as a result
 *               or an operand, or the application has it on the way to a preset constant: then it is part of the moved value
 *   merged      the readers of the lane are computed by lines of the new pair that read the operands of the lane; or all that is
 *               left of it is an instruction of the new FP that another old one with the same value is kept as
 *   regrouped   the value is gone, and the readers of the lane are computed from other values
 *
 * An interpolator that the given FP reads and copies, too, does not make the copy moved: a copy that is gone is merged. */
#ifndef FPMOVE_VERIFY_OUTCOME_H
#define FPMOVE_VERIFY_OUTCOME_H

#include "verify/verify.h"

enum outcome {
	OUTCOME_KEPT, OUTCOME_RECOMPUTED, OUTCOME_MOVED, OUTCOME_MERGED, OUTCOME_FOLDED, OUTCOME_DEAD, OUTCOME_REGROUPED,
	OUTCOME_PART, /* only for a whole instruction: its lanes have different outcomes */
	OUTCOMES
};
extern const char *const outcome_names[OUTCOMES];

/* A place: one lane of a register that the new FP reads. */
struct outcome_place {
	uint8_t file; /* REG_TEXCOORD, REG_INPUT or REG_CONST; REG_FILES if there is no place */
	uint8_t lane;
	bool negated; /* the place holds the negative of the value */
	int16_t index;
};

struct outcome_places { VEC(struct outcome_place); };
struct outcome_instrs { VEC(uint32_t); };

struct lane_outcome {
	uint8_t outcome;              /* enum outcome but OUTCOME_PART */
	struct outcome_place at;      /* if moved or folded, the place from which the new FP reads the value, if it does */
	struct outcome_places part;   /* if moved, but read from no place itself, the places of the moved values computed from it */
	/* Instructions of the new VP and FP, in order.  If kept or recomputed, `ps` has the instructions that compute the value.  If
	 * moved, `vs` has the instructions that compute it, and `ps` those that read `at`.  If merged or regrouped, both have what the
	 * instructions that read the lane became. */
	struct outcome_instrs vs, ps;
	bool delivered;               /* if kept or recomputed, an interpolator brings the value, too */
	bool application;             /* if moved, the application computes it: as a preset that the FP reads, or for one while no program does */
	double number;                /* if folded, the value; NaN if it is made of literals alone, but not known as a rational number */
};

struct instr_outcome {
	uint8_t outcome;
	lanes written;                /* the result lanes; 0 if the instruction has no result (a texkill), whose outcome is then in lane[0] */
	struct lane_outcome lane[LANES]; /* the outcomes of the written lanes */
};

struct outcomes {
	uint32_t n;
	struct instr_outcome *at;     /* the outcome of each instruction of the old FP */
	unsigned moved;               /* the number of instructions all of whose lanes have moved */
};

/* Add an instruction or a place to a sorted list, unless the list has it. */
void outcome_add_instr(struct arena *, struct outcome_instrs *, uint32_t instr);
void outcome_add_place(struct arena *, struct outcome_places *, struct outcome_place);

/* Returns the outcomes of the instructions of old.ps in the pair `new`, or NULL if the pairs are not equal.  `origins` has for each
 * instruction of the new FP its origin, the old instruction from which the mover made it, or UINT32_MAX; it is NULL if that is not known.
 * Origins only decide which of several equal values was kept; an origin of another value is ignored. */
const struct outcomes *find_outcomes(struct arena *, struct pair old, struct pair new, const struct proof_context *,
                                     const uint32_t *origins);
/* Returns the same as find_outcomes(), for pairs without flow control. */
const struct outcomes *outcomes_of_straight(struct arena *, struct pair old, struct pair new, const struct proof_context *,
                                            const uint32_t *origins);

#endif
