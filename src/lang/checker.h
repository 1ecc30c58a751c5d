/* The parts of the checker: check.c checks declarations and the program as a whole, check_instr.c each instruction, check_flow.c flow control;
 * checker.c has the functions that all of them use. */
#ifndef FPMOVE_LANG_CHECKER_H
#define FPMOVE_LANG_CHECKER_H

#include "lang/blocks.h"
#include "lang/check.h"

enum { CHECK_TEMPS = 32, CHECK_CONSTS = 256, CHECK_INPUTS = 16, CHECK_OUTPUTS = MOST_TEX_OUTS, CHECK_SAMPLERS = 16 };

/* The state of the checker at the current instruction of a program with flow control. */
struct check_flow {
	struct blocks blocks;
	const struct block_state *states; /* the state at the beginning of each block */
	uint32_t next;                    /* index of the next block */
	struct block_state state;         /* the state before the current instruction */
	bool varying;                     /* pixels of one triangle may differ in whether they run the current block */
};

struct checker {
	const struct program *p;
	const struct model_info *m;
	enum stage stage;
	const struct check_options *options;
	struct diags *diags;
	unsigned most_slots; /* the device's limit of slots, or of arithmetic slots in a model that counts texture slots apart */
	uint16_t count[REG_FILES]; /* number of registers of each file on the device; 0 if the model does not have the file */

	/* The last declaration of each register, or NULL if there is none. */
	const struct decl *inputs[CHECK_INPUTS], *texcoords[CHECK_INPUTS], *samplers[CHECK_SAMPLERS];

	/* Collected from the declarations so far. */
	uint64_t declared[REG_FILES][CHECK_CONSTS / 64]; /* the declared registers, a bit for each */
	uint16_t usages[USAGES]; /* for each usage, the indices with which vertex inputs are declared, a bit for each */
	uint16_t linked[USAGES]; /* for each usage, the indices with which o# of a VP or v# of a ps_3_0 are declared, a bit for each */

	/* Collected from the instructions so far. */
	lanes temps[CHECK_TEMPS];     /* lanes that are written on every path to the current instruction, or were reported as unwritten */
	lanes undefined[CHECK_TEMPS]; /* lanes in `temps` that a sincos or sgn has left undefined since */
	lanes beyond[CHECK_TEMPS];    /* lanes that an m3x2 to m4x4 without a write mask left unwritten, as it has fewer rows than lanes */
	lanes address_written;
	lanes outputs[REG_FILES][CHECK_OUTPUTS];
	srcpos output_at[REG_FILES][CHECK_OUTPUTS]; /* position of the first write of the register, if its `outputs` is not 0 */
	struct slots slots;
	srcpos over_arith, over_tex; /* position of the first instruction past the limit of slots of its kind, or SRCPOS_NONE */
	struct read_orders orders;
	struct check_flow *flow;      /* NULL if the program is straight or too long, or its flow control does not nest */

	/* The abs instructions directly before the current one, each of which stands for the modifier _abs of an operand of the current one. */
	const struct instr *modifiers;
	unsigned nmodifiers;

	/* Breaches that were reported already. */
	bool told_file[REG_FILES];    /* files for which the rule register-model was reported */
	bool told_range[REG_FILES];   /* files for which the rule register-range was reported */
	lanes told_input[CHECK_INPUTS], told_texcoord[CHECK_INPUTS];
	uint32_t told_sampler;
	bool told_order, told_decl_order, told_device;
};

/* A part of a message, returned by value so that a call can be an argument of breach(). */
struct piece {
	char text[32];
};
struct piece register_piece(const struct program *, unsigned file, int index);
#define NAME(reg) (register_piece(c->p, (reg)->file, (reg)->index).text)
struct piece src_piece(const struct program *, const struct src *);  /* the operand as written, without its swizzle */
/* Returns the letters of the lanes in the set, such as "xy". */
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

/* Reports that the program breaks a rule, unless `incomplete` is set and the missing statements may be the cause. */
void breach(struct checker *, enum rule, srcpos at, const char *format, ...) PRINTF_LIKE(4, 5);

/* Returns true if `rows` registers from `index` on exist, and warns of constants of vs_1_1 that not every device has.  Otherwise returns false,
 * and reports it, but only once for each file, and not if the linker reports it. */
bool check_register(struct checker *, unsigned file, int index, unsigned rows, bool relative, srcpos at);

/* Reports flow control that does not nest or nests too deep, or of which vs_2_0 has too much.  If it nests, sets c->flow to `flow`.  Checks
 * nothing in a program beyond the slots of its model. */
void check_flow_begin(struct checker *, struct arena *, struct check_flow *flow);
/* Prepares for the check of instruction k: if k is the first of a block, sets `temps` and the state of c->flow to those of the block. */
void check_flow_step(struct checker *, uint32_t k);
/* Checks a register of flow control as operand s, or any operand of an instruction of flow control.  Reports a wrong register file, and returns
 * false; reports wrong lanes or a sign, too, but returns true. */
bool check_flow_source(struct checker *, const struct instr *, unsigned s);
/* Checks an instruction's predicate, gradients and use of aL, after its operands.  Then updates the state of c->flow by the instruction. */
void check_flow_instr(struct checker *, const struct instr *);

/* Checks the next instruction, and updates the fields of the checker by what it writes. */
void check_instr(struct checker *, const struct instr *);

#endif
