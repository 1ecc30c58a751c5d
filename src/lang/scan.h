/* Steps over pieces of C-like text that end where only their own rules say. */
#ifndef FPMOVE_LANG_SCAN_H
#define FPMOVE_LANG_SCAN_H

#include "base/diag.h"

/* All give the offset behind the piece at `at`, at most the source's size. */
size_t scan_line_end(const struct source *, size_t at);         /* the line end itself is left */
size_t scan_logical_line_end(const struct source *, size_t at); /* with the lines that backslashes join */
/* A comment, or `at` itself.  `assembly`: `;` starts one, too. */
size_t scan_comment(const struct source *, size_t at, bool assembly);
/* A string or character literal of one line; without its closing mark only the mark. */
size_t scan_string(const struct source *, size_t at);
/* Returns true if a trigraph of C begins the text, such as ??/, which ends in NUL. */
bool scan_trigraph(const char *);
/* The start of the line. */
size_t scan_line_start(const struct source *, size_t at);

/* Goes through a text once and knows the line. */
struct scan_line {
	size_t at;
	uint32_t line;    /* counted from the source's first */
	size_t start;     /* of the line */
};
void scan_line_init(struct scan_line *, const struct source *);
void scan_line_to(struct scan_line *, const struct source *, size_t at);

#endif
