/* The basic blocks of a program and its control flow graph.
 *
 * A straight program is one block.  Flow control ends a block, and the edges lead to the blocks that may be run next.  A
 * subroutine's ret has edges to the instructions behind all of its calls: the graph does not tell the callers apart. */
#ifndef FPMOVE_LANG_BLOCKS_H
#define FPMOVE_LANG_BLOCKS_H

#include "lang/ir.h"

struct block {
	uint32_t first, end; /* the block has instructions first to end - 1 */
	bool varying;        /* pixels of one triangle may differ in whether they run the block */
};

struct block_edge {
	uint32_t from, to; /* indices of blocks in struct blocks, `list` */
};

struct blocks {
	struct { VEC(struct block); } list; /* in the order of the text; the program begins with the first */
	struct { VEC(struct block_edge); } edges;
	const uint32_t *partner; /* the partner of each instruction, see blocks_partners() */
};

/* Finds the partner of each instruction of flow control:
 *   if                       its else, or its endif if it has no else
 *   else                     its endif
 *   endif                    its if
 *   rep, loop                its endrep or endloop, and the other way round
 *   break, breakc, breakp    the endrep or endloop that it jumps behind
 *   call, callnz             the label
 *   label                    the ret of its subroutine, and the other way round
 * The ret of the main program and all other instructions get NO_INSTR.
 * If flow control does not nest, returns the error without its subject, such as "has no endif", which is instruction *at; else NULL. */
const char *blocks_partners(struct arena *, const struct program *, const uint32_t **partner, uint32_t *at);

/* Sets the instructions that may be run directly after instruction k: next[0] to k + 1, next[1] to the instruction to which k may jump.  Each is
 * NO_INSTR if k never goes on there.  For the last instruction, k + 1 is the number of instructions. requires: the program has no subroutines. */
enum { BLOCK_SUCCESSORS = 2 };
void blocks_next(const struct program *, const uint32_t *partner, uint32_t k, uint32_t next[BLOCK_SUCCESSORS]);

/* Finds the blocks of a program and their edges.  `partner` comes from blocks_partners(). */
void blocks_find(struct arena *, const struct program *, const uint32_t *partner, struct blocks *);

/* The data flow state at one point of a program: for each r#, and for p0 as entry BLOCK_PREDICATE, sets of its lanes. */
enum { BLOCK_PREDICATE = MODEL_TEMPS, BLOCK_REGISTERS };
struct block_state {
	lanes always[BLOCK_REGISTERS];    /* lanes that are written on every path to this point */
	lanes sometimes[BLOCK_REGISTERS]; /* lanes that are written on some path to this point */
	lanes varying[BLOCK_REGISTERS];   /* lanes whose value may differ from pixel to pixel */
};

/* Returns an array with the state at the beginning of each block.  Sets `varying` of the blocks in an if whose condition differs from pixel to
 * pixel, in a loop that only some pixels leave by a break, and in subroutines that only some pixels call.  In an unreachable block, no register
 * counts as written. */
const struct block_state *blocks_states(struct arena *, const struct program *, struct blocks *);

/* Updates the state before an instruction to the state after it.  `varying` tells if the instruction's block is varying. */
void block_state_step(struct block_state *, const struct program *, const struct instr *, bool varying);

/* Returns true if the value of operand s may differ from pixel to pixel. */
bool block_state_varies(const struct block_state *, const struct program *, const struct instr *, unsigned s);

#endif
