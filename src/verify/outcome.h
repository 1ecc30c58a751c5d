/* What became of each instruction of a pixel program, told from the given pair and the written one: however the mover worked,
 * and whatever it thinks of it.  It is asked one thing: which of several equal values is which line.
 *
 * A lane of the given FP has a value: an element of the proof's fields, which two different functions of the inputs share with
 * a chance of 2^-120.  Where the new pair has it, or minus it, decides what became of the lane, the first that is true:
 *
 *   dead        nothing in the given FP reads the lane, or nothing that an output depends on, and the new FP does not compute it
 *   kept        the new FP computes it by the same opcode, from operands of the same values; of a texkill: one kills the
 *               same pixels
 *   folded      it is a number, or made of literals alone, and not computed any more: a literal of the new pair holds it, or
 *               what read it
 *   recomputed  the new FP computes it by another opcode or from operands of other values (a mov of it is no computing)
 *   moved       an interpolator or a preset constant which the new FP reads holds it, and the new FP does not compute it but for
 *               what another instruction is kept as; or all that reads the lane has moved so, and the vertex program, as a
 *               result or an operand, or the application on the way to a preset constant has the value: then it is part of
 *               what has moved
 *   merged      what read the lane is computed in lines of the new pair which read what the lane was made of; or another
 *               instruction of the new FP, which stands for one with the same value, is what is left of it
 *   regrouped   the value stands nowhere any more, and what read the lane is computed from something else
 *
 * An interpolator that the given FP reads, too, and copies holds nothing new: a copy that is gone is merged. */
#ifndef FPMOVE_VERIFY_OUTCOME_H
#define FPMOVE_VERIFY_OUTCOME_H

#include "verify/verify.h"

enum outcome {
	OUTCOME_KEPT, OUTCOME_RECOMPUTED, OUTCOME_MOVED, OUTCOME_MERGED, OUTCOME_FOLDED, OUTCOME_DEAD, OUTCOME_REGROUPED,
	OUTCOME_PART, /* of an instruction: its lanes differ */
	OUTCOMES
};
extern const char *const outcome_names[OUTCOMES];

/* One lane of a register that the new FP reads. */
struct outcome_place {
	uint8_t file; /* REG_TEXCOORD, REG_INPUT, REG_CONST; REG_FILES: there is none */
	uint8_t lane;
	bool negated; /* minus the value is there */
	int16_t index;
};

struct outcome_places { VEC(struct outcome_place); };
struct outcome_instrs { VEC(uint32_t); };

struct lane_outcome {
	uint8_t outcome;              /* enum outcome but OUTCOME_PART */
	struct outcome_place at;      /* moved, folded: what holds it */
	struct outcome_places part;   /* moved, but held nowhere: what it is part of; by register and lane */
	/* Instructions of the new programs, in their order.  Kept, recomputed: those of the FP that compute it.  Moved: of the VP,
	 * and those of the FP that read `at`.  Merged, regrouped: what read it. */
	struct outcome_instrs vs, ps;
	bool delivered;               /* kept, recomputed: an interpolator that the new FP reads brings the value, too */
	bool application;             /* moved: the application computes it for a preset constant, and no program does */
	double number;                /* folded; NaN: a number made of literals alone, but not a rational one */
};

struct instr_outcome {
	uint8_t outcome;
	lanes written;                /* 0: an instruction without a result, which lane[0] stands for */
	struct lane_outcome lane[LANES]; /* of those written */
};

struct outcomes {
	uint32_t n;
	struct instr_outcome *at;     /* of each instruction of the old FP */
	unsigned moved;               /* those of them that have moved with all lanes */
};

/* Puts in what is not there yet, in order. */
void outcome_add_instr(struct arena *, struct outcome_instrs *, uint32_t instr);
void outcome_add_place(struct arena *, struct outcome_places *, struct outcome_place);

/* Returns the outcomes of a pair that is proven, `new` as it is written, or NULL if the pairs are not equal.  `origins`: for each
 * instruction of the new FP the old one that the mover made it of, or UINT32_MAX if it is of none; NULL if nobody knows.  Of several
 * equal values they decide which one was kept; what is not so is not believed. */
const struct outcomes *find_outcomes(struct arena *, struct pair old, struct pair new, const struct proof_context *,
                                     const uint32_t *origins);
/* Finds the same for find_outcomes() where a program of the old pair has flow control. */
const struct outcomes *outcomes_around_blocks(struct arena *, struct pair old, struct pair new, const struct proof_context *);

#endif
