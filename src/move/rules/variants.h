/* Ways of writing the FPs of a group, which compute the same. */
#ifndef FPMOVE_MOVE_RULES_VARIANTS_H
#define FPMOVE_MOVE_RULES_VARIANTS_H

#include "move/passes.h"
#include "move/graph/values.h"

/* Ways to write a whole program anew, see rules.def. */
enum variant {
#define RULE(function, name, tag, level, may, what)
#define VARIANT(id, name, tag, what) id,
#include "move/rules/rules.def"
#undef VARIANT
#undef RULE
	VARIANTS
};

enum { MOST_WAYS = 24 };

struct ways {
	const struct program *const *way[MOST_WAYS]; /* the FPs of each */
	unsigned n;
};

/* First as they are given (`given`: their values), but with decisions by what decides in the end, and matrix products by rows in t# or r# as dot products, whose
 * lanes values can follow; then, unless the target charges for interpolated scalars, with projected reads, with sums of
 * products as dot products besides, with sums of choices as choices of sums besides,
 * and with powers of two in what can move; at -O3 with dot products in part, too, and each of these tidied and regrouped as
 * far as that goes.  The `at` of what was written anew is the index of the group's instruction that it stands for, or
 * SRCPOS_NONE. */
void ways_find(struct values *given, const struct group *, struct ways *);

#endif
