/* Reads and prints the comments by which a program that fpmove wrote lists the constants that the application has to set for it.  fpmove's
 * next run over the program, or a person, knows them only from there.  Below the version line stands one line for each constant register:
 *
 *	// fpmove: c95 = ps c3 (g_scale)                        in a VP: c95 must be set as FP constant c3 is (with its name if known)
 *	// fpmove: c31.xz = def c32, 2, 0, 0, 0; mul r0.x, c2.x, c32.x; mov r0.z, c1.y
 *
 *	// fpmove: c9 stays the application's                   the application sets it, though the program no longer reads it
 *
 * The second line gives a preset: the application computes c31.x and c31.z by a program of arithmetic on FP constants and literals of
 * its own, which leaves these lanes in r0. */
#ifndef FPMOVE_LANG_NEEDS_H
#define FPMOVE_LANG_NEEDS_H

#include "lang/ir.h"

/* In an expression, c0 to c31 are FP constants, and c32 and above have defs of its own. */
enum { NEEDS_CONSTS = 32, NEEDS_TEMPS = 32 };
#define NEEDS_MARK "// fpmove: "
#define NEEDS_OWN " stays the application's"

/* Removes the comments that begin with NEEDS_MARK from a parsed program and adds the needs that they state to program.needs.  Leaves out
 * copies and presets of constants that the program does not read, and, with a warning, comments that do not fit the program. */
void needs_read(struct arena *, struct program *, struct diags *);
/* Joins the needs of a pair's programs into `all`.  First drops, with a warning, needs of either program that are computed from FP constants
 * that the application does not set.  Fills `reserved` of both programs, the constants that must keep their values even if no instruction
 * reads them: in both, needs.own; in the VP, constants that comments name, as applications set whole arrays, and copies of FP constants, as
 * c[a0.x + n] may read them; in the FP, constants that needs are computed from. */
void needs_of_pair(struct arena *, struct program *vs, struct program *ps, struct diags *, struct needs *all);
/* Sets `all` to the needs of the new pair: the needs `given` of the old pair whose constants it still reads, and the needs `added` by the move.
 * If an added need reads a constant that a given need sets, the given need's expression replaces that constant.  Returns false if an
 * expression would need too many registers. */
bool needs_join(struct arena *, const struct needs *given, const struct needs *added, const struct program *vs,
                const struct program *ps, struct needs *all);
/* Adds to `to` the copies and computed lanes of one stage in `from`, except for constants and lanes that `to` already has. */
void needs_add(struct arena *, struct needs *to, const struct needs *from, enum stage);
/* Adds to needs.own of the new program the old program's needs.own, and each constant that the application sets for the old program, except
 * those that the old program's comments ask for, and those that the new program or, in an FP, a need in `all` reads.  A later run must not
 * use the constants in needs.own, since the application still sets them. */
void needs_keep_own(struct program *, const struct program *old, const struct needs *all);
/* Returns true if the needs have a copy or a preset for the constant. */
bool needs_sets(const struct needs *, enum stage, int index);
/* Prints the needs as comments, one line for each constant register. */
void needs_print(struct text *, const struct needs *);
/* Returns the copies that the application sets by name if `by_name`, else all other copies and all computed lanes. */
struct needs needs_named(struct arena *, const struct needs *, bool by_name);
/* Returns true if there are no copies and no presets, so that the application has nothing more to set. */
static inline bool needs_none(const struct needs *n)
{
	for (uint32_t k = 0; k < n->folds.n; k++)
		if (n->folds.at[k].preset)
			return false;
	return n->consts.n == 0;
}

#endif
