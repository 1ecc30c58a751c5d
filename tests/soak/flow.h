/* A writer of programs with blocks: what is known at the place where it writes, and what it puts there. */
#ifndef FPMOVE_TESTS_FLOW_H
#define FPMOVE_TESTS_FLOW_H

#include "lang/ir.h"

enum {
	FLOW_TEXCOORDS = 8, FLOW_BOOLS = 3, FLOW_INTS = 4, FLOW_SUBS = 4,
	FLOW_ARRAY = 40, /* c# from here on are read through aL and a0 alone */
	FLOW_COLOURS = FLOW_TEXCOORDS, FLOW_DEPTH = FLOW_COLOURS + 2, FLOW_POSITION, FLOW_OUTPUTS
};

/* What is so on every way to a place. */
struct flow_state {
	lanes temp[MODEL_TEMPS];     /* lanes that are written */
	lanes uniform[MODEL_TEMPS];  /* lanes that are the same for all pixels */
	lanes output[FLOW_OUTPUTS];  /* lanes that are written */
	lanes predicate, uniform_predicate;
	bool address; /* a0.x is written */
	bool varying; /* the pixels beside may be elsewhere */
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
	int temps, live; /* r0 .. r(live-1) live across the blocks, r(live) .. r(temps-1) need not */
	lanes unread[MODEL_TEMPS]; /* that nothing has read since they were written, so that little is dead */
	int consts;      /* c0 .. c(consts-1) are the application's; c(consts) is 0.5, 1, 0, 2 */
	int inputs;      /* v# of a vertex program */
	lanes texcoord[FLOW_TEXCOORDS], colour[2]; /* of a pixel program's inputs */
	int samplers, reads; /* declared; done */
	unsigned slots, statics; /* used; ifs, loops and calls that vs_2_0 still takes */
	int depth, loops, most_loops;
	unsigned calls;
	enum flow_breaks breaks; /* out of the innermost loop */
	bool counted;            /* aL counts here */
	bool may_write_outputs, face, early; /* face: vFace is read; early: oC0 is written before the blocks */
	struct flow_subroutine sub[FLOW_SUBS];
	unsigned nsubs;
};

int flow_below(struct flow *, int n);
bool flow_chance(struct flow *, int percent);
struct src flow_whole(enum reg_file, int index);
lanes flow_written(const struct flow *, enum reg_file, int index);

/* Writes these lanes by some instruction, by a mov, or by this one. */
void flow_write(struct flow *, enum reg_file, int index, lanes);
void flow_move(struct flow *, enum reg_file, int index, lanes, struct src from);
void flow_put(struct flow *, enum op, struct dst to, struct src a, struct src b, struct src c);

/* Returns whether the model of the program has the opcode; whether it links inputs by usages, as model 3 does. */
bool flow_has(const struct flow *, enum op);
bool flow_links(const struct flow *);
/* Returns the state where two ways come together. */
struct flow_state flow_join(const struct flow_state *, const struct flow_state *);
void flow_forget_uniform(struct flow_state *);
bool flow_is_uniform(const struct flow *, const struct instr *, unsigned s);
void flow_emit(struct flow *, const struct instr *);

/* Returns a register of those that live across the blocks, or one of the others. */
int flow_some_temp(struct flow *);
lanes flow_some_mask(struct flow *);
/* Finds operand s of an instruction; false if none fits. */
bool flow_pick(struct flow *, struct instr *, unsigned s);
/* Finds an instruction that writes these lanes; false if its operands are not there. */
bool flow_make(struct flow *, struct instr *, enum reg_file, int index, lanes);

void flow_straight(struct flow *);
/* Writes n statements, each of which may be a block, and at least one block where the program may have them. */
void flow_statements(struct flow *, int n);
/* Writes an output again that is written on every way to here. */
void flow_change_output(struct flow *);
/* Adds what registers hold to one of four lanes, so that less is dead, and returns it. */
int flow_gather(struct flow *);
/* Puts the subroutines behind the main program. */
void flow_finish(struct flow *);

#endif
