/* What the application sets for programs that fpmove wrote, as their comments keep it: fpmove's next run over
 * them, or a person, has nothing else.  Below the version line, one line for each constant register:
 *
 *	// fpmove: c95 = ps c3 (g_scale)                        of a VP: what FP constant c3, of that name if one is known, is set to
 *	// fpmove: c31.xz = def c32, 2, 0, 0, 0; mul r0.x, c2.x, c32.x; mov r0.z, c1.y
 *
 *	// fpmove: c9 stays the application's                   it was read once, and is no more
 *
 * The second is a program of arithmetic on FP constants and literals of its own which leaves the lanes in r0. */
#ifndef FPMOVE_LANG_NEEDS_H
#define FPMOVE_LANG_NEEDS_H

#include "lang/ir.h"

/* An expression names the FP constants c0 to c31; c32 and above are literals of its own. */
enum { NEEDS_CONSTS = 32 };

/* Moves such comments of a parsed program to program.needs.  What the program does not read is left out; what
 * cannot be so is left out with a warning. */
void needs_read(struct arena *, struct program *, struct diags *);
/* The needs of a pair's programs must go together: those of the VP that are made of an FP constant with a def go,
 * with a warning; `all` is what is left.  Fills `reserved` of both programs, the constants that nothing may be put into although
 * no instruction reads them: those that an earlier run left to the application (`own`), those of the VP that its compiler's
 * comments name, as an array is set whole, or that are copies of the FP's, which c[a0.x + n] may read, and the FP's that needs
 * are made of. */
void needs_of_pair(struct arena *, struct program *vs, struct program *ps, struct diags *, struct needs *all);
/* What the new pair needs in all: of `given`, what the old pair needs, what is still read, and `added`, which is
 * for the old pair with `given` in place: what is made of constants that are made themselves is made of theirs.
 * False: an expression would need too many registers. */
bool needs_join(struct arena *, const struct needs *given, const struct needs *added, const struct program *vs,
                const struct program *ps, struct needs *all);
/* Adds those of one stage, without repetition. */
void needs_add(struct arena *, struct needs *to, const struct needs *from, enum stage);
/* Constants of the application that the new program, of an old one, reads no more: a later run must not take them for
 * its own, since who sets them does not know. */
void needs_keep_own(struct program *, const struct program *old, const struct needs *all);
/* The comments. */
void needs_print(struct text *, const struct needs *);
/* Those of the needs whose constants are set by their names; or, with the rest, those that are not. */
struct needs needs_named(struct arena *, const struct needs *, bool by_name);
static inline bool needs_none(const struct needs *n)
{
	for (uint32_t k = 0; k < n->folds.n; k++)
		if (n->folds.at[k].preset)
			return false;
	return n->consts.n == 0;
}

#endif
