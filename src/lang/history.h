/* Records the program after each pass, for --dump.
 *
 * A program has a history once history_begin gave it one.  Each copy of the program carries the history on by itself, so the program
 * that is chosen in the end leads back to the one that was given, whatever else was tried.  For a program without a history nothing
 * is recorded, which costs one comparison. */
#ifndef FPMOVE_LANG_HISTORY_H
#define FPMOVE_LANG_HISTORY_H

#include "lang/ir.h"

struct history {
	const struct history *before;  /* the entry of the pass before; NULL in the first entry */
	const char *pass;              /* name of the pass */
	const struct program *program; /* a copy of the program after the pass */
};

/* Starts a history with the program as it is; `pass` says where the program comes from. */
void history_begin(struct arena *, struct program *, const char *pass);
/* Adds the program after a pass to its history, unless the pass changed nothing. */
void history_note(struct arena *, struct program *, const char *pass);

#endif
