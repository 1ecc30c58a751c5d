/* Finds ways of writing the FPs of a group that compute the same.
 *
 * A change of one instruction by itself is an alternative (rules.h).  The changes here are larger: that of powers of two goes through
 * all readers of a value at once; joining lanes and repeated regrouping change many instructions, each of which pays only together
 * with the others; gathering changes several roots. */
#ifndef FPMOVE_MOVE_VARIANTS_H
#define FPMOVE_MOVE_VARIANTS_H

#include "move/rules/rules.h"

/* Ways 1 to 4 of ways_find(), then for item 5 two ways with lanes joined and two that are regrouped. */
enum { MOST_WAYS = 4 + 2 * 2 };

/* The ways of writing the FPs of a group that were found. */
struct ways {
	const struct program *const *way[MOST_WAYS]; /* [way]: the group's FPs, written in this way */
	struct values *values[MOST_WAYS];            /* [way]: the values of these FPs; NULL until they are numbered */
	unsigned n;
	unsigned joined_from; /* index of the first way in which lanes are joined, which only -O3 plans */
};

/* Writes the FPs of the group, whose values are `given`, in these ways, one after the other:
 *   1. settled: without copies, repeats, units and dead code, products that are added as mad, and matrix products by rows in t# or r# as
 *      dot products, whose lanes values can follow;
 *   2. like the last, with powers of two moved into values that can move;
 *   3. like the last, with numbers made by the products beside them, see rules/beside.c;
 *   4. like the last, with operands gathered, see rules/gather.c;
 *   5. at -O3, the first and the last of these with lanes joined, then regrouped as far as that goes.
 * A way that changes nothing is left out.  2 to 4 gain nothing if the target charges for interpolated scalars.
 * The `at` of an instruction that was written anew is the index of the group's instruction that it stands for, or
 * SRCPOS_NONE. */
void ways_find(struct values *given, const struct group *, struct ways *);
/* Returns the values of the FPs of way k, numbered when they are first wanted. */
struct values *ways_values(struct ways *, const struct group *, struct arena *, unsigned k);

#endif
