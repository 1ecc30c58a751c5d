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

/* An expression names the FP constants c0 to c31; c32 and above are literals of its own. */
enum { NEEDS_CONSTS = 32, NEEDS_TEMPS = 32 };
#define NEEDS_MARK "// fpmove: "
#define NEEDS_OWN " stays the application's"

/* Reads the comments of a parsed program that begin with NEEDS_MARK, and moves what they state to program.needs.  Leaves out constants that
 * the program does not read, and, with a warning, comments that do not fit the program. */
void needs_read(struct arena *, struct program *, struct diags *);
/* Joins the needs of a pair's programs into `all`.  Needs of the VP that are computed from an FP constant with a def are dropped, with a
 * warning.  Fills `reserved` of both programs, the constants that must keep their values although no instruction reads them: in both,
 * constants that an earlier run left to the application (`own`); in the VP, constants that comments name, as an array is
 * set whole, and copies of FP constants, as c[a0.x + n] may read them; in the FP, constants that needs are computed from. */
void needs_of_pair(struct arena *, struct program *vs, struct program *ps, struct diags *, struct needs *all);
/* Finds all needs of the new pair: of `given`, the needs of the old pair, the part that is still read, and `added`, the needs that the move
 * added to a pair whose needs `given` are met.  An added need that reads a constant of a given need is expressed by the constants from
 * which that is computed.  Returns false if an expression would need too many registers. */
bool needs_join(struct arena *, const struct needs *given, const struct needs *added, const struct program *vs,
                const struct program *ps, struct needs *all);
/* Adds the needs of one stage to `to`, except those that it has already. */
void needs_add(struct arena *, struct needs *to, const struct needs *from, enum stage);
/* Adds to needs.own the application's constants that the old program read and the new program does not.  A later run must not use them
 * for values of its own, since the application goes on to set them. */
void needs_keep_own(struct program *, const struct program *old, const struct needs *all);
/* Returns true if the needs have a copy or a preset for the constant. */
bool needs_sets(const struct needs *, enum stage, int index);
/* Prints the needs as comments, one line for each constant register. */
void needs_print(struct text *, const struct needs *);
/* Returns the needs that the application sets by constant name if `by_name`, else all other needs. */
struct needs needs_named(struct arena *, const struct needs *, bool by_name);
/* Returns true if the application has nothing more to set: there are no copies and no presets. */
static inline bool needs_none(const struct needs *n)
{
	for (uint32_t k = 0; k < n->folds.n; k++)
		if (n->folds.at[k].preset)
			return false;
	return n->consts.n == 0;
}

#endif
