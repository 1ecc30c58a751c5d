/* The blocks of a program: instructions that are run one after the other, all or none of them.
 *
 * A straight program is one block.  Flow control ends a block, and its edges say what may be run next.  A subroutine returns
 * behind every call of it, whichever it was called from. */
#ifndef FPMOVE_LANG_BLOCKS_H
#define FPMOVE_LANG_BLOCKS_H

#include "lang/ir.h"

struct block {
	uint32_t first, end; /* instructions number first to end - 1 */
	bool varying;        /* is it run for some pixels of a triangle and not for their neighbours? */
};

struct block_edge {
	uint32_t from, to; /* blocks */
};

struct blocks {
	struct { VEC(struct block); } list; /* in the order of the text; the first is where the program begins */
	struct { VEC(struct block_edge); } edges;
	const uint32_t *partner; /* of each instruction, see blocks_partners() */
};

/* Finds the instruction that each one of flow control belongs to: of an if its else or endif, of an else its endif, of an endif
 * its if; of a rep or loop its end and the other way round; of a break the end that it goes to; of a call the label; of a label
 * the ret of its subroutine and the other way round.  All others have NO_INSTR, as has the ret of the main program.
 * Returns NULL, or what is wrong with instruction *at, which may be the number of instructions. */
const char *blocks_partners(struct arena *, const struct program *, const uint32_t **partner, uint32_t *at);

/* Finds the instructions that may be run next after instruction k: the one behind it, and where it leads; NO_INSTR: none.  What
 * follows the last is the number of instructions.
 * requires: the program has no subroutines. */
enum { BLOCK_SUCCESSORS = 2 };
void blocks_next(const struct program *, const uint32_t *partner, uint32_t k, uint32_t next[BLOCK_SUCCESSORS]);

/* Finds the blocks of a program, whose partners blocks_partners() has found. */
void blocks_find(struct arena *, const struct program *, const uint32_t *partner, struct blocks *);

/* Tells what is known of r#, and behind them p0, where a block begins. */
enum { BLOCK_PREDICATE = MODEL_TEMPS, BLOCK_REGISTERS };
struct block_state {
	lanes always[BLOCK_REGISTERS];    /* written on every way to it */
	lanes sometimes[BLOCK_REGISTERS]; /* written on some way to it */
	lanes varying[BLOCK_REGISTERS];   /* that may differ from pixel to pixel */
};

/* Returns the state where each block begins, and tells the blocks that are varying: those inside an if on what differs from pixel
 * to pixel, inside a loop that is left so, and subroutines called from there.  A block that nothing leads to has written nothing. */
const struct block_state *blocks_states(struct arena *, const struct program *, struct blocks *);

/* Takes the state behind one more instruction; `varying`: of its block. */
void block_state_step(struct block_state *, const struct program *, const struct instr *, bool varying);

/* Returns whether an operand may differ from pixel to pixel. */
bool block_state_varies(const struct block_state *, const struct program *, const struct instr *, unsigned s);

#endif
