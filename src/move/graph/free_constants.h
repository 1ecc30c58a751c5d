/* Constant registers that are free, and why no constant is clobbered, at any level and in either program.
 *
 * A c# is taken if a def gives it, if the program reads it, by a matrix or through a0, too, or if the pair's application sets it
 * for what an earlier run of fpmove wrote (lang/needs.h).  The mover puts numbers of its own, and what the application is to
 * set, only into registers that are not taken.  These do so:
 *
 *     paper/allot.c          VP    what moves at -O1 reads: defs, and FP constants that the application sets there as well
 *     cover/vertex_const.c   VP    the same at -O2 and -O3; cover/vertex_program.c declares it
 *     cut/facts.c            FP    tells which registers a plan may fill; cut/supply.c fills them lane by lane, and
 *                                  emit/pixel_program.c declares them
 *     rules/forms.c          FP    the number 1 of a factor that is written out
 *     cover/tidy_literal.c   both  numbers that tidying makes of others
 *
 * Each asks constants_taken() of the program that it adds to, so that it sees what passes before it declared there, and notes
 * what it takes itself.  Where an earlier pass may have removed a read from that program, what the program given reads counts
 * besides, since the application sets that.  An equal def that is there is shared, not taken.  A def is seen by its own
 * program alone, so that none hides a constant from another.  The proof (src/verify) sets each c# of both pairs to numbers and
 * does not rely on any of this.  tests/rooms/run holds the list to the files that ask, and to those that declare constants, by
 * fold.c or by themselves. */
#ifndef FPMOVE_MOVE_GRAPH_FREE_CONSTANTS_H
#define FPMOVE_MOVE_GRAPH_FREE_CONSTANTS_H

#include "move/passes.h"

/* Constants that mean something to the program: those that it reads, and what is defined or reserved.  c[a0.x + n] may read any,
 * unless the user named those that it does not (`named`). */
struct register_set constants_taken(const struct program *, bool named);
/* Those of either. */
static inline struct register_set constants_of_both(struct register_set a, struct register_set b)
{
	for (unsigned k = 0; k < sizeof a.word / sizeof *a.word; k++)
		a.word[k] |= b.word[k];
	return a;
}
/* The last one within the range that is not taken, since applications keep what many programs share in the first ones;
 * -1: none. */
int constants_last_free(const struct register_set *taken, struct range);
/* The same, which is taken from now on. */
int constants_take(struct register_set *taken, struct range);

#endif
