/* Text as its owners wrote it: lines of a printed program that say the same as their source take its spelling back. */
#ifndef FPMOVE_LANG_RESPELL_H
#define FPMOVE_LANG_RESPELL_H

#include "lang/ir.h"

enum { RESPELL_LEVELS = 32 };

/* The source of a text that is being printed. */
struct respell {
	const struct source *source; /* NULL: everything stays as printed */
	size_t indent, indented;     /* where the blanks before its last statement begin, and how many they are */
	uint8_t *level;              /* by place in the source: 1 + how many blocks are around the statement there; 0: none is there; NULL: not known */
	struct { size_t at, n; bool there; } blanks[RESPELL_LEVELS]; /* by level: before the source's first statement */
};

/* Is the source one that lines can be taken from: a text of its own, which no preprocessor made? */
bool respell_can(const struct source *);
/* What stands in `t` from `from` on was printed for one statement, the last of it from `own` on without the comments before it.
 * `at`: of the statement in the source, SRCPOS_NONE where there is none; `comments`: all that belong to it. */
void respell(struct respell *, struct text *t, size_t from, size_t own, srcpos at, const struct comment *comments);
/* Notes that so many blocks are around a statement of the source. */
void respell_note(struct respell *, srcpos at, unsigned level);
/* Indents the statement that `t` has from `from` on, which has so many blocks around it now: if it had another number, it stands as far from the
 * margin as statements with as many in the source. */
void respell_indent(struct respell *, struct text *t, size_t from, srcpos at, unsigned level);
/* The text is complete: it takes the byte order mark and the line ends of the source, and the source's last ones if it is `alone` there. */
void respell_end(const struct respell *, struct text *, bool alone);

/* Bytes of a line. */
struct said {
	const char *at;
	size_t n;
};
enum { SAID_NEW = -1 };
/* Which of the old lines each of the new ones says again, in one order; SAID_NEW: none.  Blanks and ways to spell lanes make no difference. */
int *respell_lines(struct arena *, const struct said *new, uint32_t nnew, const struct said *old, uint32_t nold);

#endif
