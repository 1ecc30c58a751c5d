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
	FLOW_REGS = MODEL_TEMPS + MOST_TEX_OUTS + 2 + 4 + 5, /* r# oT# oD# oC#, and a0 oPos oFog oPts oDepth */
	FLOW_TEMPS = 1160, /* r#, those that no model has among them */
	FLOW_ALL = FLOW_REGS + FLOW_TEMPS - MODEL_TEMPS
};

struct flow {
	const struct program *program;
	uint32_t *first; /* [instrs.n + 1]: reads of instruction k are read[first[k]] .. read[first[k + 1] - 1] */
	struct flow_read *read; /* in the order of source, row, operand lane */
	uint32_t (*last)[LANES]; /* by flow_reg, up to the highest r#: definitions that hold at the end of the program */
	size_t first_size, read_size, last_size; /* elements allocated */
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
/* The one instruction that all of operand `source` comes from; UINT32_MAX: there is none, or several. */
uint32_t flow_sole_def(const struct flow *, uint32_t instr, unsigned source);
/* Does nothing but instruction `reader`, in that operand (MAX_SOURCES: in any), read what `def` wrote? */
bool flow_is_sole_reader(const struct flow *, uint32_t def, uint32_t reader, unsigned source);
/* Is what the operand reads there for nothing else? */
bool flow_is_sole_use(const struct flow *, uint32_t instr, unsigned source);

/* The mask that an instruction must have of which these lanes are wanted.  Texture reads, matrix products and outputs of one value
 * are written whole; so is nrm but for its w, since Direct3D 9 on Wine sums only the squares of the lanes that it writes; vs_1_1's
 * frc knows the masks .y and .xy. */
lanes least_mask(const struct program *, const struct instr *, lanes wanted);
static inline bool mask_is_fixed(const struct program *p, const struct instr *i)
{
	return least_mask(p, i, 0) != 0;
}
/* Row `lane` of a matrix product: the dot product that makes that lane of its result. */
struct instr matrix_row(const struct instr *product, unsigned lane);
static inline enum op matrix_row_op(enum op op)
{
	return op == OP_M4X4 || op == OP_M4X3 ? OP_DP4 : OP_DP3;
}

/* Lanes of r`index` that instruction `i` writes, or leaves undefined: sincos does so with the
 * rest of .xyz, sgn with its second and third source. */
lanes flow_clobbers(const struct instr *i, int index);
/* Lanes of a register that it reads. */
lanes flow_reads(const struct program *, const struct instr *, enum reg_file, int index);
/* The first instruction from `from` on that clobbers one of the lanes; instrs.n: none does. */
uint32_t flow_next_clobber(const struct program *, int index, lanes, uint32_t from);
/* Do the lanes of r`index` hold before instruction `to` what they hold before `from`? */
static inline bool flow_keeps(const struct program *p, int index, lanes mask, uint32_t from, uint32_t to)
{
	return flow_next_clobber(p, index, mask, from) >= to;
}
/* Does what the source of `i` reads, or do all its sources? */
bool flow_source_keeps(const struct program *, const struct instr *i, unsigned source, uint32_t from, uint32_t to);
bool flow_sources_keep(const struct program *, const struct instr *i, uint32_t from, uint32_t to);
/* Are the lanes of the register neither read nor written, nor left undefined, by instructions `from` to `to` - 1?  Of
 * an output: not written. */
bool flow_untouched(const struct program *, const struct dst *, lanes, uint32_t from, uint32_t to);

#endif
