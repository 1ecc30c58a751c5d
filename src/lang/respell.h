/* Restores the spelling of the source: replaces printed lines by the source's lines if they differ only in blanks, case and the like. */
#ifndef FPMOVE_LANG_RESPELL_H
#define FPMOVE_LANG_RESPELL_H

#include "lang/ir.h"

enum { RESPELL_LEVELS = 32 };

/* The state of print_as_source(): the source, and how it indents statements. */
struct respell {
	const struct source *source; /* NULL if everything stays as printed */
	size_t indent, indented;     /* offset and number of the source's blanks before the statement printed last */
	uint8_t *level;              /* for each offset of the source, 1 + the number of blocks around the statement there, or 0 if none begins
	                              * there; NULL if levels are not known */
	struct { size_t at, n; bool there; } blanks[RESPELL_LEVELS]; /* for each level, the blanks before its first statement in the source */
};

/* Returns true if the source is a text without NUL bytes that comes from neither bytecode nor a preprocessor; false for NULL. */
bool respell_can(const struct source *);
/* Restores the spelling of the statement printed at the end of `t`: its comments begin at offset `from`, the statement itself at `own`.  `at`
 * is its position in the source, or SRCPOS_NONE; `comments` are all its comments.  A statement that differs from the source in more than
 * spelling is only indented like the source. */
void respell(struct respell *, struct text *t, size_t from, size_t own, srcpos at, const struct comment *comments);
/* Records that `level` blocks enclose the source's statement at `at`, and the blanks before the first statement of that level. */
void respell_note(struct respell *, srcpos at, unsigned level);
/* Indents the statement at the end of `t`, from offset `from` on, like the source's statements in `level` blocks, if that is its level now and
 * it had another level in the source. */
void respell_indent(struct respell *, struct text *t, size_t from, srcpos at, unsigned level);
/* Gives the complete text the byte order mark and the line ends of the source, and if `alone`, the white space at the end of the source. */
void respell_end(const struct respell *, struct text *, bool alone);

/* A line of text. */
struct said {
	const char *at;
	size_t n;
};
enum { SAID_NEW = -1 };
/* Returns for each new line the index of the old line that it equals in the longest common subsequence, as a diff finds it, or SAID_NEW.
 * Blanks, case, and letters rgba for xyzw do not count. */
int *respell_lines(struct arena *, const struct said *new, uint32_t nnew, const struct said *old, uint32_t nold);

#endif
