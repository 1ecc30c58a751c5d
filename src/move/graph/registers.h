/* Allocates registers in a program whose temporaries may have any number below MOST_REGS, and removes its dead code.  A web is a set of
 * definitions that have to share a register, because an operand reads results of several of them. */
#ifndef FPMOVE_MOVE_GRAPH_REGISTERS_H
#define FPMOVE_MOVE_GRAPH_REGISTERS_H

#include "lang/ir.h"

enum {
	VIRTUAL_REGS = 64, /* the first r# above those of every model */
	RULE_REGS = 128,   /* the first r# that instructions written by rules (rules/) use */
	MOST_REGS = 1160   /* all r# are below it: a new VP uses r0 .. r899, and higher ones for its clones of FP instructions (vertex.h) */
};

/* Gives every web (definitions that share a register) one of r0 .. r(limit-1).  Two webs may get one register if their live ranges do not overlap in
 * any lane.  If there are enough registers, a web keeps its own where that is below the limit and free.  If the model limits the length of chains of
 * dependent texture reads, texture reads get registers that were not written before, if that shortens the longest chain.  A register with a lane that
 * is read although nothing wrote it keeps its number.  Returns false, and leaves the program as it was, if the registers do not suffice. */
bool regs_allocate(struct arena *, struct program *, unsigned limit);
/* Allocates registers like regs_allocate(), but a web that has register r in the program gets home[r], not r, if that is free, or any register if
 * home[r] is negative. */
bool regs_allocate_at(struct arena *, struct program *, unsigned limit, const int16_t *home);

/* Gives every web a register of its own, from r(VIRTUAL_REGS) on.  Keeps the register of webs that a matrix operand or sgn reads, and of lanes read
 * before they are written.  Returns false, and leaves the program as it was, if there are too few numbers. */
bool regs_separate(struct arena *, struct program *);

/* Removes dead instructions, and dead lanes from write masks.  All outputs are live.  The program may use any r# below MOST_REGS.  Returns true if it
 * removed anything. */
bool regs_remove_dead(struct arena *, struct program *);

#endif
