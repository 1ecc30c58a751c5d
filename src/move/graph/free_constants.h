/* Constant registers that are free: the one place that tells where a constant of the mover's own may go, at every level and in
 * both programs.
 *
 * In: a program as the user gave it.  Out: the registers that mean something to it, and the last one that does not.
 * Why no constant is clobbered: a c# is taken if a def gives it, if the program reads it, by a matrix or through a0, too, or if
 * the pair's application sets it for what an earlier run of fpmove wrote (lang/needs.h).  Each pass begins with those, takes
 * registers outside of them alone, and adds what it took; passes that come later begin with those of the program as it then
 * is and what the one given reads, for its application sets that.  The proof (src/verify) sets each c# of both pairs to numbers and
 * does not rely on any of this. */
#ifndef FPMOVE_MOVE_GRAPH_FREE_CONSTANTS_H
#define FPMOVE_MOVE_GRAPH_FREE_CONSTANTS_H

#include "move/passes.h"

enum { MOST_CONSTS = 256 }; /* a model has no more of them */

/* Constants that mean something to the program.  c[a0.x + n] may read any, so that all are taken, unless the user named those
 * that are free (`named`). */
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
