/* Moves instructions of regions (lang/outline.h) in front of their region if they compute the same there.
 *
 *   if b0                              mad r9.xy, v0, c0, c1     (r9 is free there)
 *     mad r1.xy, v0, c0, c1     ->     if b0
 *     texld r1, r1, s0                   texld r1, r9, s0
 *
 * Such an instruction has no effect but its result, and its operands are values from outside of the region or results of other hoisted
 * instructions.  Each operand that may read its result reads only results of hoisted instructions.  So its value is the same wherever
 * it stands.  Hoisted instructions with a reader in common write different lanes of one temporary.
 *
 * The mover hoists instructions that it can then move to the VP; the proof hoists instructions that the new program no longer has. */
#ifndef FPMOVE_LANG_HOIST_H
#define FPMOVE_LANG_HOIST_H

#include "lang/outline.h"

struct hoisted {
	const struct program *program; /* the given program itself if nothing was hoisted */
	const uint32_t *origin;        /* for each instruction of `program`: its number in the given program; NULL if nothing was hoisted */
	const bool *moved;             /* for each instruction of `program`: true if it was hoisted; NULL if none was */
	uint32_t n;                    /* number of hoisted instructions */
};

/* Hoists the instructions that can be hoisted, or if `only` is not NULL, those of them that it marks.
 * requires: the program keeps its model's rules. */
void hoist(struct arena *, const struct program *, const bool *only, struct hoisted *);

/* Returns for each instruction true if it can be hoisted, together with all others marked true, provided that enough temporaries are free. */
const bool *hoist_find(struct arena *, const struct program *);

#endif
