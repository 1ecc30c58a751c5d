/* Finds instructions of regions (lang/outline.h) that can as well be computed before their region.
 *
 *   if b0                              mad r9.xy, v0, c0, c1     (r9 is free there)
 *     mad r1.xy, v0, c0, c1     ->     if b0
 *     texld r1, r1, s0                   texld r1, r9, s0
 *
 * Such an instruction does nothing but compute, from what is outside of the region and from others like it, and all that may read
 * its result reads nothing else there.  So it has the same value wherever it stands.  All that have a reader in common write one
 * temporary, each lanes of its own.
 *
 * The mover hoists what it can bring to the VP from there; the proof hoists what is no longer in the new program. */
#ifndef FPMOVE_LANG_HOIST_H
#define FPMOVE_LANG_HOIST_H

#include "lang/outline.h"

struct hoisted {
	const struct program *program; /* the one given if nothing was hoisted */
	const uint32_t *origin;        /* for each of its instructions: which one of the given program it is */
	const bool *moved;             /* for each of its instructions: was it hoisted? */
	uint32_t n;                    /* how many were */
};

/* Hoists the instructions that `only` has (NULL: all) and that can be hoisted.
 * requires: the program keeps its model's rules. */
void hoist(struct arena *, const struct program *, const bool *only, struct hoisted *);

/* Finds the instructions that can be hoisted, each with some others, if there are temporaries for them; one value for each. */
const bool *hoist_find(struct arena *, const struct program *);

#endif
