/* Records the program after each pass, for --dump.
 *
 * history_begin() gives a program a history.  Copies of the program share its entries and then add their own, so the program
 * that is chosen in the end leads back to the given one, whatever else was tried.  Programs without a history record nothing. */
#ifndef FPMOVE_LANG_HISTORY_H
#define FPMOVE_LANG_HISTORY_H

#include "lang/ir.h"

struct history {
	const struct history *before;  /* the entry of the pass before; NULL in the first entry */
	const char *pass;              /* name of the pass */
	const struct program *program; /* a copy of the program after the pass */
};

/* Starts a new history with a copy of the program; `pass` says where the program comes from. */
void history_begin(struct arena *, struct program *, const char *pass);
/* Adds a copy of the program to its history, if it has one and differs from the last entry. */
void history_note(struct arena *, struct program *, const char *pass);

#endif
