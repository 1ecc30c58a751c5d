/* Removes flow control that defs, defis and defbs of the program decide: an if with a known condition, a rep or loop that runs once or never.
 *
 *   def c3, 0, 0, 0, 0
 *   if_ne c3.x, -c3.x         ->      mov r0, c1
 *     mul r0, r0, c0
 *   else
 *     mov r0, c1
 *   endif
 *
 * Whatever the application sets such a register to, the program reads its own def, defi or defb.
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

/* Fills `*out` with the program without the flow control that literals decide, or with the given program if there is none.
 * requires: the program keeps its model's rules. */
void resolve(struct arena *, const struct program *, struct resolved *);

#endif
