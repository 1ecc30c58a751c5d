/* Source texts, positions in them, and the diagnostics that point there. */
#ifndef FPMOVE_BASE_DIAG_H
#define FPMOVE_BASE_DIAG_H

#include "base/arena.h"

#include <stdbool.h>

/* A position in a text: a byte offset into source.text.  Line and column are computed from it
 * only when something is printed. */
typedef uint32_t srcpos;
#define SRCPOS_NONE UINT32_MAX

/* Says, as #line does, that the text from offset `at` up to the next mark comes from `file`, from line `line` on.
 * Marks are sorted by `at`. */
struct line_mark {
	srcpos at;
	uint32_t line;
	const char *file;
	const char *text; /* the content of `file` from that line on, before macros were expanded; NULL if lines are shown as in source.text */
};

struct bytecode;

struct source {
	const char *name; /* as the user gave it; "-" is shown as <stdin> by cli */
	const char *text; /* NUL terminated; `size` tells its end, since it may hold other NULs */
	size_t size;      /* in bytes, without the final NUL */
	const struct line_mark *marks;
	uint32_t nmarks;
	uint32_t first_line; /* line number of text[0]; 0 means 1 */
	const char *const *includes; /* files that the preprocessor included, each listed once */
	uint32_t nincludes;
	const struct bytecode *bytecode; /* the compiled shader that the text was disassembled from; NULL if it was given as text */
};

struct place {
	const char *file;
	uint32_t line, column; /* from 1, columns in bytes; text that a macro expanded to has the macro's place, if that is found */
	const char *text;      /* the source line, not terminated */
	size_t length;         /* the length of that line in bytes, without the line end */
};

/* Returns file, line and column of offset `at`.  Slow: it reads the text from its beginning. */
struct place source_place(const struct source *, srcpos at);
/* Returns the start of the next line of a NUL-terminated text; NULL if there is none, or if `text` is NULL. */
const char *line_after(const char *text);
uint32_t source_line(const struct source *, srcpos at);

enum severity { DIAG_NOTE, DIAG_WARNING, DIAG_ERROR };

struct diag {
	enum severity severity;
	const char *rule; /* the id of the rule that the text breaks, the same in all versions of fpmove; NULL if it breaks none */
	const char *text;
	const struct source *source; /* the text to point into; NULL for a message about no text */
	srcpos at;                   /* SRCPOS_NONE for a message about the text as a whole */
};

/* All diagnostics of one pair.  At most DIAGS_KEPT errors, as many warnings and as many notes are kept;
 * further ones are only counted, so that hostile input cannot fill the memory. */
enum { DIAGS_KEPT = 100 };
struct diags {
	struct arena *arena; /* NULL if diagnostics are only counted */
	VEC(struct diag);
	uint32_t errors, warnings, notes; /* the number of diagnostics of each severity, including those that are not kept */
};

void diag_init(struct diags *, struct arena *);
void diag_add(struct diags *, enum severity, const char *rule, const struct source *, srcpos at,
              const char *format, ...) PRINTF_LIKE(6, 7);
void diag_vadd(struct diags *, enum severity, const char *rule, const struct source *, srcpos at,
               const char *format, va_list) PRINTF_LIKE(6, 0);

/* Returns the edit distance from a word of `n` letters to `name`, for suggestions ("did you mean ...?"): the number of letters that are
 * inserted, deleted, replaced, or swapped with a neighbour, ignoring case; UINT_MAX if one of the two is longer than 40 letters. */
unsigned diag_distance(const char *word, size_t n, const char *name);

#endif
