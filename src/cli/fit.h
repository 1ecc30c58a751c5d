/* What is shown fits the terminal; elsewhere nothing is shortened or wrapped, so that scripts find whole names and lines. */
#ifndef FPMOVE_CLI_FIT_H
#define FPMOVE_CLI_FIT_H

#include "base/arena.h"

/* Columns of the terminal that the file is, of $COLUMNS if that is set, at least 40; 0: it is no terminal. */
unsigned fit_columns(int fd);
/* How many columns UTF-8 text takes; colours take none. */
size_t fit_width(const char *, size_t n);
/* A name with its control characters visible, with "..." for its middle where it would take more than `most` columns (at
 * least 8; 0: any number). */
void fit_name(struct text *, const char *name, size_t most);
/* The programs of a pair as one name, "dir/a.vsh b.psh", as fit_name. */
void fit_pair(struct text *, const char *vs, const char *ps, size_t most);
/* One line of text, broken at blanks for a terminal of `columns` (0: not broken): it begins in the column `at`, and what goes
 * on is indented by `indent`. */
void fit_wrap(struct text *, const char *line, size_t at, size_t indent, unsigned columns);
/* In a line: what goes on hangs under this place, which takes no column. */
#define FIT_HANG "\v"
/* A blank at which no line is broken. */
#define FIT_BLANK "\x01"
/* All lines of the text from the byte `from` on, as fit_wrap; FIT_BLANK becomes a blank.  Where no FIT_HANG says more, what goes on is indented as the
 * line is, or by `hang` if that is not. */
void fit_lines(struct text *, size_t from, size_t hang, unsigned columns);

#endif
