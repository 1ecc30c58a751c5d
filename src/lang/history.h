/* What passes made of a program, step by step, for who wants to see it.
 *
 * A program has a history once history_begin gave it one, and its copies carry it on, each by itself: so the program
 * that is taken in the end leads back to the one that came in, whatever else was tried.  Of a program without a history
 * nothing is noted, which costs one comparison. */
#ifndef FPMOVE_LANG_HISTORY_H
#define FPMOVE_LANG_HISTORY_H

#include "lang/ir.h"

struct history {
	const struct history *before; /* NULL: nothing was done before */
	const char *pass;             /* what was done */
	const struct program *program; /* a copy of what came of it */
};

/* `pass`: where the program comes from. */
void history_begin(struct arena *, struct program *, const char *pass);
/* The pass is done; if it did not change the program, nothing is noted. */
void history_note(struct arena *, struct program *, const char *pass);

#endif
