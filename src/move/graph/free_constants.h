/* Finds free constant registers, so that no constant is overwritten, at any level and in either program.
 *
 * A c# is taken if a def gives it, if the program reads it (also by a matrix or through a0), or if the pair's application sets it
 * for the output of an earlier run of fpmove (lang/needs.h).  The mover puts its own numbers, and the constants that the application
 * has to set, only into registers that are not taken.  These files do so:
 *
 *     paper/allot.c          VP    constants that moved instructions read at -O1: defs, and FP constants that the application sets there, too
 *     cover/vertex_const.c   VP    the same at -O2 and -O3; cover/vertex_program.c declares it
 *     cut/facts.c            FP    finds the registers that a plan may fill; cut/supply.c fills them lane by lane, and
 *                                  emit/pixel_program.c declares them
 *     rules/forms.c          FP    the literal 1, where a rule adds a factor 1
 *     cover/tidy_literal.c   both  numbers that tidying computes from others
 *
 * Each file calls constants_taken() for the program that it adds to, so it sees what earlier passes declared there, and marks
 * what it takes itself.  If an earlier pass may have removed a read from that program, the reads of the given program count
 * too, because the application sets those constants.  An equal def that exists already is shared, not taken.  Only its own program
 * sees a def, so no def hides a constant from the other program.  The proof (src/verify) sets each c# of both pairs to numbers and
 * does not rely on any of this.  tests/rooms/run compares the list to the files that call constants_taken(), and to the files that
 * declare constants, through fold.c or by themselves. */
#ifndef FPMOVE_MOVE_GRAPH_FREE_CONSTANTS_H
#define FPMOVE_MOVE_GRAPH_FREE_CONSTANTS_H

#include "move/passes.h"

/* Returns the c# that the program reads, defines or reserves (program.reserved). c[a0.x + n] counts as a read of every constant, unless the user
 * named the constants that may be taken (`named`). */
struct register_set constants_taken(const struct program *, bool named);
static inline struct register_set constants_of_both(struct register_set a, struct register_set b)
{
	for (unsigned k = 0; k < sizeof a.word / sizeof *a.word; k++)
		a.word[k] |= b.word[k];
	return a;
}
/* Returns the last c# of the range that is not in `taken`, or -1 if there is none.  The first c# stay free, because applications use them for
 * constants that many programs share. */
int constants_last_free(const struct register_set *taken, struct range);
/* Returns the last c# of the range that is not in `taken`, and adds it to `taken`.  Returns -1 if there is none. */
int constants_take(struct register_set *taken, struct range);

#endif
