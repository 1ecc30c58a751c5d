/* Inside the checker: check.c looks at whole programs and declarations, check_instr.c at
 * instructions, one after the other, check_flow.c at flow control. */
#ifndef FPMOVE_LANG_CHECKER_H
#define FPMOVE_LANG_CHECKER_H

#include "lang/blocks.h"
#include "lang/check.h"

enum { CHECK_TEMPS = 32, CHECK_CONSTS = 256, CHECK_INPUTS = 16, CHECK_OUTPUTS = MOST_TEX_OUTS, CHECK_SAMPLERS = 16 };

/* Of a program with flow control. */
struct check_flow {
	struct blocks blocks;
	const struct block_state *states; /* where each begins */
	uint32_t next;                    /* the next block */
	struct block_state state;         /* before the instruction at hand */
	bool varying;                     /* of its block */
};

struct checker {
	const struct program *p;
	const struct model_info *m;
	enum stage stage;
	const struct check_options *options;
	struct diags *diags;
	unsigned most_slots; /* by the device: of any kind, or arithmetic ones */
	uint16_t count[REG_FILES]; /* registers of each kind; 0: not in this stage */

	/* The declaration of each register, the last one, or NULL. */
	const struct decl *inputs[CHECK_INPUTS], *texcoords[CHECK_INPUTS], *samplers[CHECK_SAMPLERS];

	/* The declarations so far. */
	uint64_t declared[REG_FILES][CHECK_CONSTS / 64]; /* a bit for each register */
	uint16_t usages[USAGES]; /* a bit for each index */
	uint16_t linked[USAGES]; /* the same for what links the programs of model 3 */

	/* What the instructions so far did. */
	lanes temps[CHECK_TEMPS];     /* written, whatever way was gone */
	lanes undefined[CHECK_TEMPS]; /* of them, those that a macro left undefined since */
	lanes beyond[CHECK_TEMPS];    /* behind the rows of a matrix that was written without a mask */
	lanes address_written;
	lanes outputs[REG_FILES][CHECK_OUTPUTS];
	srcpos output_at[REG_FILES][CHECK_OUTPUTS]; /* of the first write; where `outputs` is not 0 */
	struct slots slots;
	srcpos over_arith, over_tex; /* the first instruction past the limit; SRCPOS_NONE: none */
	struct read_orders orders;
	struct check_flow *flow;      /* NULL: the program is straight, or its flow control does not nest */

	/* The abs before the instruction at hand that stand for modifiers of its operands. */
	const struct instr *modifiers;
	unsigned nmodifiers;

	/* Said already, so that one breach is reported once. */
	bool told_file[REG_FILES];    /* register-model */
	bool told_range[REG_FILES];   /* register-range: further registers of the kind */
	lanes told_input[CHECK_INPUTS], told_texcoord[CHECK_INPUTS];
	uint32_t told_sampler;
	bool told_order, told_decl_order, told_device;
};

/* Pieces of messages, by value, so that they can be arguments. */
struct piece {
	char text[32];
};
struct piece register_piece(const struct program *, unsigned file, int index);
#define NAME(reg) (register_piece(c->p, (reg)->file, (reg)->index).text)
struct piece src_piece(const struct program *, const struct src *);  /* as written, without the swizzle */
struct piece lanes_piece(lanes);             /* "xy" */

void breach(struct checker *, enum rule, srcpos at, const char *format, ...) PRINTF_LIKE(4, 5);

/* Does the register exist?  Reports if not. */
bool check_register(struct checker *, unsigned file, int index, unsigned rows, bool relative, srcpos at);

/* Checks how flow control nests and sets c->flow, to `flow`, if it does. */
void check_flow_begin(struct checker *, struct arena *, struct check_flow *flow);
/* Before instruction k: takes the state of the block that it begins. */
void check_flow_step(struct checker *, uint32_t k);
/* Checks the register of an operand as far as flow control goes; false: it cannot stand there, which was said. */
bool check_flow_source(struct checker *, const struct instr *, unsigned s);
/* Checks what else flow control asks of an instruction, of which all else was checked. */
void check_flow_instr(struct checker *, const struct instr *);

/* The next instruction. */
void check_instr(struct checker *, const struct instr *);

#endif
