/* Definitions and uses of each register lane in a straight-line program of either stage. */
#ifndef FPMOVE_MOVE_GRAPH_FLOW_H
#define FPMOVE_MOVE_GRAPH_FLOW_H

#include "lang/ir.h"

/* A definition is the index of the instruction that wrote a lane, or one of these two numbers. */
#define FLOW_UNWRITTEN UINT32_MAX   /* no instruction wrote the lane, or sgn clobbered it */
#define FLOW_INPUT (UINT32_MAX - 1) /* the lane is of a v#, t# or c#, which no instruction writes */

/* One lane that an instruction reads.  An operand c[a0.x + n] has one more read, of a0.x, with file REG_ADDRESS. */
struct flow_read {
	uint32_t def;   /* index of the instruction that wrote the lane, FLOW_UNWRITTEN or FLOW_INPUT */
	uint8_t source; /* index of the operand */
	uint8_t file;   /* enum reg_file of the register */
	int16_t index;  /* number of the register; for row j of a matrix, the operand's number plus j */
	uint8_t lane;   /* lane of the operand: position in its swizzle */
	uint8_t from;   /* lane of the register that the swizzle selects at that position */
};

/* Numbers of the registers that an instruction can write.  flow_reg() numbers them consecutively. */
enum {
	FLOW_REGS = MODEL_TEMPS + MOST_TEX_OUTS + 2 + 4 + 5, /* a model's r#, oT#, oD# and oC#, and 5 for a0, oPos, oFog, oPts and oDepth */
	FLOW_TEMPS = 1160, /* limit of r# numbers; they may be higher than those of any model */
	FLOW_ALL = FLOW_REGS + FLOW_TEMPS - MODEL_TEMPS
};

struct flow {
	const struct program *program;
	uint32_t *first; /* [instrs.n + 1]: reads of instruction k are read[first[k]] .. read[first[k + 1] - 1] */
	struct flow_read *read; /* one entry for each lane read; those of an instruction are sorted by source, row and operand lane */
	uint32_t (*last)[LANES]; /* [flow_reg()][lane]: the definition that the register lane holds at the end of the program */
	size_t first_size, read_size, last_size; /* elements allocated for first, read and last */
};

/* Finds all definitions and uses of the program.  Its r# may have any numbers below FLOW_TEMPS. */
struct flow *flow_find(struct arena *, const struct program *);
/* Finds all definitions and uses again after the program was changed.  Reuses the memory of the flow if it is large enough. */
void flow_again(struct arena *, struct flow *);

/* Returns the register's index into `last`, or -1 if no instruction can write it. */
int flow_reg(enum reg_file, int index);
/* Returns the definition that reaches the end of the program in a register lane, or FLOW_INPUT for a register that cannot be written. */
uint32_t flow_last(const struct flow *, enum reg_file, int index, unsigned lane);
/* Returns the definition that operand lane `lane` of source `source` reads (in the first row of a matrix), or FLOW_UNWRITTEN if the
 * lane is not read. */
uint32_t flow_def(const struct flow *, uint32_t instr, unsigned source, unsigned lane);
/* Returns the one instruction that wrote all lanes that operand `source` reads.  Returns UINT32_MAX if several wrote them, or if one of them was not
 * written or is an input or constant, or if there are none. */
uint32_t flow_sole_def(const struct flow *, uint32_t instr, unsigned source);
/* Returns true if only instruction `reader` reads the results of `def`, and only in that operand (in any operand for MAX_SOURCES). */
bool flow_is_sole_reader(const struct flow *, uint32_t def, uint32_t reader, unsigned source);
/* Returns true if no other operand reads results of the instructions whose results operand `source` of `instr` reads. */
bool flow_is_sole_use(const struct flow *, uint32_t instr, unsigned source);

/* Returns the smallest write mask that an instruction may have if the lanes `wanted` of its result are needed.  Texture reads, matrix products,
 * blocks of flow control, and writes of oC#, oDepth, oFog and oPts keep their masks.  nrm keeps .xyz, because Wine sums only the squares of the
 * lanes that it writes.  frc of vs_1_1 has only the masks .y and .xy. */
lanes least_mask(const struct program *, const struct instr *, lanes wanted);
static inline bool mask_is_fixed(const struct program *p, const struct instr *i)
{
	return least_mask(p, i, 0) != 0;
}
/* Returns the dp3 or dp4 that computes lane `lane` of the matrix product's result. */
struct instr matrix_row(const struct instr *product, unsigned lane);
static inline enum op matrix_row_op(enum op op)
{
	return op == OP_M4X4 || op == OP_M4X3 ? OP_DP4 : OP_DP3;
}

/* Returns the lanes of a register that the instruction reads. */
lanes flow_reads(const struct program *, const struct instr *, enum reg_file, int index);
/* Returns the first instruction from `from` on that clobbers one of the lanes of r`index`, or instrs.n if none does. */
uint32_t flow_next_clobber(const struct program *, int index, lanes, uint32_t from);
/* Returns true if no instruction from `from` to `to` - 1 clobbers these lanes of r`index`. */
static inline bool flow_keeps(const struct program *p, int index, lanes mask, uint32_t from, uint32_t to)
{
	return flow_next_clobber(p, index, mask, from) >= to;
}
/* Return true if no instruction from `from` to `to` - 1 changes a register that one source of `i`, or any of its sources, reads. */
bool flow_source_keeps(const struct program *, const struct instr *i, unsigned source, uint32_t from, uint32_t to);
bool flow_sources_keep(const struct program *, const struct instr *i, uint32_t from, uint32_t to);
/* Returns true if instructions `from` to `to` - 1 neither read nor clobber these lanes of the register.  If it is not an r#, reads do not count. */
bool flow_untouched(const struct program *, const struct dst *, lanes, uint32_t from, uint32_t to);

#endif
