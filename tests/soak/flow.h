/* A generator of programs with blocks: the state at the place where it writes, and the functions that write there. */
#ifndef FPMOVE_TESTS_FLOW_H
#define FPMOVE_TESTS_FLOW_H

#include "lang/ir.h"

enum {
	FLOW_TEXCOORDS = 8, FLOW_BOOLS = 3, FLOW_INTS = 4, FLOW_SUBS = 4,
	FLOW_ARRAY = 40, /* c# from here on are read through aL and a0 alone */
	FLOW_COLOURS = FLOW_TEXCOORDS, FLOW_DEPTH = FLOW_COLOURS + 2, FLOW_POSITION, FLOW_OUTPUTS
};

/* Facts that hold at a place whichever way control came there. */
struct flow_state {
	lanes temp[MODEL_TEMPS];     /* lanes that are written */
	lanes uniform[MODEL_TEMPS];  /* lanes that are the same for all pixels */
	lanes output[FLOW_OUTPUTS];  /* lanes that are written */
	lanes predicate, uniform_predicate;
	bool address; /* a0.x is written */
	bool varying; /* neighbouring pixels may take another way */
};

enum flow_breaks { BREAKS_NONE, BREAKS_UNIFORM, BREAKS_VARYING };

struct flow_subroutine {
	struct program *body;
	struct flow_state entry, exit;
};

struct flow {
	struct arena *arena;
	uint64_t state; /* of its random numbers */
	struct program *p;
	bool vertex, flows;
	struct flow_state now;
	int temps, live; /* r0 .. r(live-1) are live across blocks; r(live) .. r(temps-1) need not be */
	lanes unread[MODEL_TEMPS]; /* lanes unread since their last write; they are read first, so that little is dead */
	int consts;      /* c0 .. c(consts-1) are the application's; c(consts) is 0.5, 1, 0, 2 */
	int inputs;      /* v# of a vertex program */
	lanes texcoord[FLOW_TEXCOORDS], colour[2]; /* lanes of a pixel program's inputs that may be read */
	int samplers, reads; /* samplers that are declared, and texture reads so far */
	unsigned slots, statics; /* slots used, and static ifs, loops and calls that vs_2_0 still allows */
	int depth, loops, most_loops;
	unsigned calls;
	enum flow_breaks breaks; /* which instructions may leave the innermost loop */
	bool counted;            /* aL may be read here */
	bool may_write_outputs, face, early; /* face: the program reads vFace; early: oC0 is written before the blocks */
	struct flow_subroutine sub[FLOW_SUBS];
	unsigned nsubs;
};

int flow_below(struct flow *, int n);
bool flow_chance(struct flow *, int percent);
struct src flow_whole(enum reg_file, int index);
lanes flow_written(const struct flow *, enum reg_file, int index);

/* Writes these lanes by some instruction, by a mov, or by the instruction given. */
void flow_write(struct flow *, enum reg_file, int index, lanes);
void flow_move(struct flow *, enum reg_file, int index, lanes, struct src from);
void flow_put(struct flow *, enum op, struct dst to, struct src a, struct src b, struct src c);

/* Returns whether the program's model has the opcode, and whether it links inputs by usages as model 3 does. */
bool flow_has(const struct flow *, enum op);
bool flow_links(const struct flow *);
/* Returns the state where two branches join. */
struct flow_state flow_join(const struct flow_state *, const struct flow_state *);
void flow_forget_uniform(struct flow_state *);
bool flow_is_uniform(const struct flow *, const struct instr *, unsigned s);
void flow_emit(struct flow *, const struct instr *);

/* Returns a register that lives across the blocks, or one of the others. */
int flow_some_temp(struct flow *);
lanes flow_some_mask(struct flow *);
/* Chooses operand s of an instruction.  Returns false if none fits. */
bool flow_pick(struct flow *, struct instr *, unsigned s);
/* Makes an instruction that writes these lanes.  Returns false if its operands are missing. */
bool flow_make(struct flow *, struct instr *, enum reg_file, int index, lanes);

void flow_straight(struct flow *);
/* Writes n statements, each of which may be a block, and at least one block if the program may have blocks. */
void flow_statements(struct flow *, int n);
/* Writes an output again that every way to this place has written. */
void flow_change_output(struct flow *);
/* Adds the values of registers to one of four lanes, so that less code is dead, and returns the register. */
int flow_gather(struct flow *);
/* Puts the subroutines behind the main program. */
void flow_finish(struct flow *);

#endif
