/* Skips lines, comments and string literals of C-like text and of assembly. */
#ifndef FPMOVE_LANG_SCAN_H
#define FPMOVE_LANG_SCAN_H

#include "base/diag.h"

/* Each function that skips a piece of text at offset `at` returns the offset behind it, at most the source's size. */

/* Skips the rest of the line, but not the line end itself. */
size_t scan_line_end(const struct source *, size_t at);
/* Skips the rest of the line and the lines that backslashes join to it. */
size_t scan_logical_line_end(const struct source *, size_t at);
/* Skips a comment; returns `at` if there is none.  If `assembly`, `;` starts a comment, too, and a backslash does not continue it. */
size_t scan_comment(const struct source *, size_t at, bool assembly);
/* Skips white space and comments. */
size_t scan_to_code(const struct source *, size_t at, bool assembly);
/* Skips a string or character literal of one line, or only its opening mark if the closing one is missing. */
size_t scan_string(const struct source *, size_t at);
/* Returns true if the text, which ends in NUL, begins with a trigraph of C, such as ??/. */
bool scan_trigraph(const char *);
/* Returns the start of the line that `at` is on. */
size_t scan_line_start(const struct source *, size_t at);

/* A walk through a text that counts lines. */
struct scan_line {
	size_t at;
	uint32_t line;    /* number of the line of `at` */
	size_t start;     /* offset of the start of that line */
};
void scan_line_init(struct scan_line *, const struct source *);
void scan_line_to(struct scan_line *, const struct source *, size_t at);

#endif
