/* Removes flow control that literals of the program decide: an if whose condition is known, a rep or loop that runs once or never.
 *
 *   def c3, 0, 0, 0, 0
 *   if_ne c3.x, -c3.x         ->      mov r0, c1
 *     mul r0, r0, c0
 *   else
 *     mov r0, c1
 *   endif
 *
 * The program reads its own def, defi or defb, whatever the application sets the register to.
 * Declarations that only removed instructions read are removed, too.
 * Calls are replaced by their subroutines if that takes no more slots; a callnz becomes an if around its subroutine. */
#ifndef FPMOVE_LANG_RESOLVE_H
#define FPMOVE_LANG_RESOLVE_H

#include "lang/blocks.h"

struct resolved {
	const struct program *program; /* the given program itself if nothing was removed */
	const uint32_t *origin;        /* for each instruction of `program`, its number in the given program, or NO_INSTR for the abs of an
	                                * operand; NULL if `program` is the given one */
};

/* Removes the flow control that is decided.
 * requires: the program keeps its model's rules. */
void resolve(struct arena *, const struct program *, struct resolved *);

#endif
