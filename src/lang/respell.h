/* Restores the spelling of the source: lines of a printed program that differ from their source only in spelling are replaced by it. */
#ifndef FPMOVE_LANG_RESPELL_H
#define FPMOVE_LANG_RESPELL_H

#include "lang/ir.h"

enum { RESPELL_LEVELS = 32 };

/* The source of a text that is being printed. */
struct respell {
	const struct source *source; /* NULL if everything stays as printed */
	size_t indent, indented;     /* offset and number of the blanks before the last statement of the source that was printed */
	uint8_t *level;              /* for each offset of the source, 1 + the number of blocks around the statement there, or 0 if none begins
	                              * there; NULL if levels are not known */
	struct { size_t at, n; bool there; } blanks[RESPELL_LEVELS]; /* for each level, the blanks before its first statement in the source */
};

/* Returns true if lines can be taken from the source, which must be a text that no preprocessor made. */
bool respell_can(const struct source *);
/* Restores the spelling of one statement, which was printed to `t`: from `from` on with the comments before it, from `own` on without
 * them.  `at` is the position of the statement in the source, SRCPOS_NONE if it is not there; `comments` are all its comments.
 * If it differs from the source in more than spelling, only indents it as the source does. */
void respell(struct respell *, struct text *t, size_t from, size_t own, srcpos at, const struct comment *comments);
/* Notes how many blocks are around a statement of the source, and the blanks before the first statement with that number. */
void respell_note(struct respell *, srcpos at, unsigned level);
/* Indents the statement that `t` has from `from` on, around which there are now `level` blocks.  If their number has changed, the statement
 * is indented like statements of the source with that number. */
void respell_indent(struct respell *, struct text *t, size_t from, srcpos at, unsigned level);
/* Gives the complete text the byte order mark and the line ends of the source, and if the program is `alone` in the source, the white space
 * at its end. */
void respell_end(const struct respell *, struct text *, bool alone);

/* A line of text. */
struct said {
	const char *at;
	size_t n;
};
enum { SAID_NEW = -1 };
/* Returns for each new line the old line that it repeats, in the same order as a diff would, or SAID_NEW.  Blanks and different letters
 * for lanes make no difference. */
int *respell_lines(struct arena *, const struct said *new, uint32_t nnew, const struct said *old, uint32_t nold);

#endif
