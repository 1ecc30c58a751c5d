/* Source texts, positions in them, and the diagnostics that point there. */
#ifndef FPMOVE_BASE_DIAG_H
#define FPMOVE_BASE_DIAG_H

#include "base/arena.h"

#include <stdbool.h>

/* A position: byte offset into source.text.  Line and column are found from it
 * only when something is printed. */
typedef uint32_t srcpos;
#define SRCPOS_NONE UINT32_MAX

/* From offset `at` on, the text comes from line `line` of `file` (what a
 * preprocessor's #line says).  Sorted by `at`. */
struct line_mark {
	srcpos at;
	uint32_t line;
	const char *file;
	const char *text; /* that line and all behind it as written, NUL terminated; NULL: as here */
};

struct bytecode;

struct source {
	const char *name; /* as the user gave it; "-" is shown as <stdin> by cli */
	const char *text; /* NUL terminated; may hold further NULs, see `size` */
	size_t size;      /* bytes, without the NUL */
	const struct line_mark *marks;
	uint32_t nmarks;
	uint32_t first_line; /* of text[0]; 0 means 1 */
	const char *const *includes; /* files that the preprocessor put in, each once */
	uint32_t nincludes;
	const struct bytecode *bytecode; /* of a compiled shader, which the text was made from; NULL: it is a text of its own */
};

struct place {
	const char *file;
	uint32_t line, column; /* from 1; columns count bytes; where macros were expanded: of the macro */
	const char *text;      /* the source line, not terminated */
	size_t length;         /* bytes of it, without the line end */
};

/* Where `at` is.  O(size of the text); for printing. */
struct place source_place(const struct source *, srcpos at);
/* Where the next line of a NUL-terminated text starts; NULL when there is none, or no text. */
const char *line_after(const char *text);
/* The line number alone. */
uint32_t source_line(const struct source *, srcpos at);

enum severity { DIAG_NOTE, DIAG_WARNING, DIAG_ERROR };

struct diag {
	enum severity severity;
	const char *rule; /* stable rule id, or NULL */
	const char *text;
	const struct source *source; /* NULL: about no file */
	srcpos at;                   /* SRCPOS_NONE: about the file as a whole */
};

/* All that was said about one pair.  Past DIAGS_KEPT errors, and as many others, further
 * ones are only counted, so hostile input cannot fill the memory. */
enum { DIAGS_KEPT = 100 };
struct diags {
	struct arena *arena; /* NULL: count only */
	VEC(struct diag);
	uint32_t errors, warnings, notes; /* counted even when not kept */
};

void diag_init(struct diags *, struct arena *);
void diag_add(struct diags *, enum severity, const char *rule, const struct source *, srcpos at,
              const char *format, ...) PRINTF_LIKE(6, 7);
void diag_vadd(struct diags *, enum severity, const char *rule, const struct source *, srcpos at,
               const char *format, va_list) PRINTF_LIKE(6, 0);

/* Steps from a word of `n` letters to a name, for "is that meant?": a letter put in, left out or exchanged, or
 * two neighbours swapped, in any letter case; UINT_MAX if one is long. */
unsigned diag_distance(const char *word, size_t n, const char *name);

#endif
