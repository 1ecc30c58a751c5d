/* Definitions and uses per lane of a straight-line program, for both stages. */
#ifndef FPMOVE_MOVE_GRAPH_FLOW_H
#define FPMOVE_MOVE_GRAPH_FLOW_H

#include "lang/ir.h"

/* A definition is the index of the instruction that wrote the lane, or one of these. */
#define FLOW_UNWRITTEN UINT32_MAX   /* nobody wrote it, or sgn clobbered it */
#define FLOW_INPUT (UINT32_MAX - 1) /* v#, t# or c#: given from outside */

/* One lane that an instruction reads.  c[a0.x + n] also reads a0.x: such a read has
 * file REG_ADDRESS and belongs to the operand that is addressed. */
struct flow_read {
	uint32_t def;   /* instruction, FLOW_UNWRITTEN or FLOW_INPUT */
	uint8_t source; /* which operand */
	uint8_t file;   /* enum reg_file of the register; its number: */
	int16_t index;  /* for row j of a matrix: that of the operand plus j */
	uint8_t lane;   /* operand lane, before the swizzle */
	uint8_t from;   /* register lane */
};

/* Registers an instruction can write, numbered through: see flow_reg. */
enum {
	FLOW_TEMPS = 32,
	FLOW_REGS = FLOW_TEMPS + 8 + 2 + 4 + 5 /* r# oT# oD# oC#, and a0 oPos oFog oPts oDepth */
};

struct flow {
	const struct program *program;
	uint32_t *first; /* [instrs.n + 1]: reads of instruction k are read[first[k]] .. read[first[k + 1] - 1] */
	struct flow_read *read; /* in the order of source, row, operand lane */
	uint32_t last[FLOW_REGS][LANES]; /* definitions that hold at the end of the program */
	size_t first_room, read_room;    /* elements allocated */
};

/* Requires a program whose register numbers are within their model. */
struct flow *flow_find(struct arena *, const struct program *);
/* The same after the program was changed, in the memory it has if that is enough. */
void flow_again(struct arena *, struct flow *);

/* Index into `last`; -1: not a register that can be written. */
int flow_reg(enum reg_file, int index);
/* What is in a register lane at the end of the program; FLOW_INPUT for what cannot be written. */
uint32_t flow_last(const struct flow *, enum reg_file, int index, unsigned lane);
/* The definition that arrives in operand lane `lane` of source `source` (of a matrix: its
 * first row); FLOW_UNWRITTEN if that lane is not read. */
uint32_t flow_def(const struct flow *, uint32_t instr, unsigned source, unsigned lane);

#endif
