/* The parts of the checker: check.c checks whole programs and declarations, check_instr.c one instruction after the other,
 * check_flow.c flow control, and checker.c has what these share. */
#ifndef FPMOVE_LANG_CHECKER_H
#define FPMOVE_LANG_CHECKER_H

#include "lang/blocks.h"
#include "lang/check.h"

enum { CHECK_TEMPS = 32, CHECK_CONSTS = 256, CHECK_INPUTS = 16, CHECK_OUTPUTS = MOST_TEX_OUTS, CHECK_SAMPLERS = 16 };

/* The checker's place in a program with flow control. */
struct check_flow {
	struct blocks blocks;
	const struct block_state *states; /* the state at the beginning of each block */
	uint32_t next;                    /* index of the next block */
	struct block_state state;         /* the state before the current instruction */
	bool varying;                     /* the current block may be run for some pixels and not for their neighbours */
};

struct checker {
	const struct program *p;
	const struct model_info *m;
	enum stage stage;
	const struct check_options *options;
	struct diags *diags;
	unsigned most_slots; /* the device's limit of slots, or of arithmetic slots in a model that counts texture slots apart */
	uint16_t count[REG_FILES]; /* number of registers of each file; 0 if the stage does not have the file */

	/* The last declaration of each register, or NULL if there is none. */
	const struct decl *inputs[CHECK_INPUTS], *texcoords[CHECK_INPUTS], *samplers[CHECK_SAMPLERS];

	/* Collected from the declarations so far. */
	uint64_t declared[REG_FILES][CHECK_CONSTS / 64]; /* the declared registers, a bit for each */
	uint16_t usages[USAGES]; /* for each usage, the indices with which vertex inputs are declared, a bit for each */
	uint16_t linked[USAGES]; /* for each usage, the indices with which o# of a VP or v# of a ps_3_0 are declared, a bit for each */

	/* Collected from the instructions so far. */
	lanes temps[CHECK_TEMPS];     /* lanes that are written on every path */
	lanes undefined[CHECK_TEMPS]; /* lanes in `temps` that a macro has left undefined since */
	lanes beyond[CHECK_TEMPS];    /* lanes that an m3x2 to m4x4 without a write mask left unwritten, as it has fewer rows than lanes */
	lanes address_written;
	lanes outputs[REG_FILES][CHECK_OUTPUTS];
	srcpos output_at[REG_FILES][CHECK_OUTPUTS]; /* the first write of the register, if its `outputs` is not 0 */
	struct slots slots;
	srcpos over_arith, over_tex; /* the first instruction past the limit of slots of its kind, or SRCPOS_NONE if there is none */
	struct read_orders orders;
	struct check_flow *flow;      /* NULL if the program is straight, or its flow control does not nest */

	/* The abs instructions directly before the current one, each of which stands for the modifier _abs of one of its operands. */
	const struct instr *modifiers;
	unsigned nmodifiers;

	/* Breaches that were reported already. */
	bool told_file[REG_FILES];    /* register-model, by file */
	bool told_range[REG_FILES];   /* register-range, by file */
	lanes told_input[CHECK_INPUTS], told_texcoord[CHECK_INPUTS];
	uint32_t told_sampler;
	bool told_order, told_decl_order, told_device;
};

/* A part of a message, returned by value so that it can be an argument. */
struct piece {
	char text[32];
};
struct piece register_piece(const struct program *, unsigned file, int index);
#define NAME(reg) (register_piece(c->p, (reg)->file, (reg)->index).text)
struct piece src_piece(const struct program *, const struct src *);  /* the operand as written, without its swizzle */
/* Returns letters of lanes, such as "xy". */
static inline struct piece lanes_piece(lanes set)
{
	struct piece piece = {""};
	unsigned n = 0;
	EACH_LANE(lane, set)
		piece.text[n++] = "xyzw"[lane];
	return piece;
}
static inline const char *op_name(const struct instr *i)
{
	return ops[i->op].name;
}

/* Reports that the program breaks a rule. */
void breach(struct checker *, enum rule, srcpos at, const char *format, ...) PRINTF_LIKE(4, 5);

/* Returns true if `rows` registers from `index` on exist, and reports them otherwise. */
bool check_register(struct checker *, unsigned file, int index, unsigned rows, bool relative, srcpos at);

/* Checks that flow control nests, and then sets c->flow to `flow`. */
void check_flow_begin(struct checker *, struct arena *, struct check_flow *flow);
/* Prepares for the check of instruction k: if k is the first of a block, sets `state` and `varying` to those of the block. */
void check_flow_step(struct checker *, uint32_t k);
/* Checks the register file of operand s: flow control takes only certain files, such as b# and i#, and other instructions do not take them.
 * Returns false if the file does not fit, and reports it. */
bool check_flow_source(struct checker *, const struct instr *, unsigned s);
/* Checks an instruction's predicate, gradients and use of aL.  Comes after all other checks of the instruction. */
void check_flow_instr(struct checker *, const struct instr *);

/* Checks the next instruction. */
void check_instr(struct checker *, const struct instr *);

#endif
