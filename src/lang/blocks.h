/* The basic blocks of a program and its control flow graph.
 *
 * A straight program is one block.  Flow control ends a block, and the edges lead to the blocks that may be run next.  A
 * subroutine's ret has edges to the instructions behind all of its calls: the graph does not tell the callers apart. */
#ifndef FPMOVE_LANG_BLOCKS_H
#define FPMOVE_LANG_BLOCKS_H

#include "lang/ir.h"

struct block {
	uint32_t first, end; /* the block has instructions first to end - 1 */
	bool varying;        /* the block may be run for some pixels of a triangle, and not for their neighbours */
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
 * The ret of the main program and all other instructions have NO_INSTR.
 * Returns NULL, or a message about instruction *at if flow control does not nest. */
const char *blocks_partners(struct arena *, const struct program *, const uint32_t **partner, uint32_t *at);

/* Finds the instructions that may be run directly after instruction k: next[0] is k + 1, next[1] the instruction that k may jump to.  Each
 * is NO_INSTR if k never goes there.  Behind the last instruction, k + 1 is the program's number of instructions. requires: the program has
 * no subroutines. */
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

/* Returns the state at the beginning of each block, and sets `varying` of the blocks inside an if whose condition differs from
 * pixel to pixel, inside a loop that a break leaves by such a condition, and in subroutines that are called from there.  In the
 * state of an unreachable block nothing is written. */
const struct block_state *blocks_states(struct arena *, const struct program *, struct blocks *);

/* Turns the state before an instruction into the state after it.  `varying` is that field of the instruction's block. */
void block_state_step(struct block_state *, const struct program *, const struct instr *, bool varying);

/* Returns true if the value of operand s may differ from pixel to pixel. */
bool block_state_varies(const struct block_state *, const struct program *, const struct instr *, unsigned s);

#endif
