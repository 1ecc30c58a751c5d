/* Flow control that need not be.  Literals of the program decide some: an if whose way is known, a rep or loop that is run once or never.
 *
 *   def c3, 0, 0, 0, 0
 *   if_ne c3.x, -c3.x         ->      mov r0, c1
 *     mul r0, r0, c0
 *   else
 *     mov r0, c1
 *   endif
 *
 * A def, defi or defb is of the program alone: whatever the application sets for the register, the program reads that.
 * Declarations that only what went has read go with it.
 * Subroutines stand in place of their calls where that takes no more slots; with a condition an if stands around them. */
#ifndef FPMOVE_LANG_RESOLVE_H
#define FPMOVE_LANG_RESOLVE_H

#include "lang/blocks.h"

struct resolved {
	const struct program *program; /* the one given if nothing is known */
	const uint32_t *origin;        /* for each of its instructions: which one of the given program it is; NO_INSTR: the abs of an operand;
	                                * NULL: all are the same */
};

/* requires: the program keeps its model's rules. */
void resolve(struct arena *, const struct program *, struct resolved *);

#endif
