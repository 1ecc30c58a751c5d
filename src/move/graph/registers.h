/* Register allocation for a program whose temporaries may have any number, and removal of its dead code.  A web is a set of definitions
 * that some read joins: they have to share a register. */
#ifndef FPMOVE_MOVE_GRAPH_REGISTERS_H
#define FPMOVE_MOVE_GRAPH_REGISTERS_H

#include "lang/ir.h"

enum {
	VIRTUAL_REGS = 64, /* first number of an r# that no model has */
	RULE_REGS = 128,   /* first number of the r# that instructions written by rules (rules/) use */
	MOST_REGS = 1160   /* limit of the numbers of r#: a new VP has 900 of its own, and clones of an FP's r# above them (vertex.h) */
};

/* Gives every web (definitions that reads join) a register r0 .. r(limit-1).  Two webs may share one if their lanes never hold a value at the same
 * time.  A web keeps its register if that is below the limit and free.  If the model limits how many texture reads depend on each other in a row,
 * texture reads get registers that were not written before, if that shortens the row.  A register with a lane that is read although nothing wrote it
 * stays as it is.  Returns false, and leaves the program as it was, if the registers do not suffice. */
bool regs_allocate(struct arena *, struct program *, unsigned limit);
/* Allocates registers like regs_allocate(), but a web that has register r in the program gets register home[r], not r, if that is free.  If
 * home[r] is negative, it may get any. */
bool regs_allocate_at(struct arena *, struct program *, unsigned limit, const int16_t *home);

/* Gives every web a register of its own, from r(VIRTUAL_REGS) on, except webs that have to keep theirs.  Returns false, and leaves the program as it
 * was, if there are too few numbers. */
bool regs_separate(struct arena *, struct program *);

/* Removes instructions and mask lanes whose results no output needs, like tidy_dead, but from a program whose r# have any numbers.  All outputs
 * count as needed.  Returns true if it removed anything. */
bool regs_remove_dead(struct arena *, struct program *);

#endif
