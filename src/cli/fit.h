/* Fits text into the columns of a terminal.  Output that goes elsewhere is neither shortened nor wrapped, so that scripts find whole names
 * and lines. */
#ifndef FPMOVE_CLI_FIT_H
#define FPMOVE_CLI_FIT_H

#include "base/arena.h"

/* Returns 0 if `fd` is no terminal.  Otherwise returns $COLUMNS if that is a positive number, or else the columns of the terminal, but at least
 * 40. */
unsigned fit_columns(int fd);
/* Writes bytes with control characters other than tabs in the form \n or \x1b, so that a file name or a source line cannot send commands to the
 * terminal. */
void text_visible(struct text *, const char *, size_t n);
/* Writes a name with its control characters visible.  A name wider than `most` columns (at least 8; 0 for no limit) gets "..." in place of
 * its middle. */
void fit_name(struct text *, const char *name, size_t most);
/* Writes the programs of a pair as one name, "dir/a.vsh b.psh", shortened as by fit_name. */
void fit_pair(struct text *, const char *vs, const char *ps, size_t most);
/* Writes one line of text, broken at blanks for a terminal of `columns` (0: not broken).  It begins in column `at`; further lines are indented
 * by `indent`. */
void fit_wrap(struct text *, const char *line, size_t at, size_t indent, unsigned columns);
/* Marks, in a line, the column at which its continuation lines begin; is not printed itself. */
#define FIT_HANG "\v"
/* A blank at which no line is broken. */
#define FIT_BLANK "\x01"
/* Wraps all lines of the text from byte `from` on at blanks, for a terminal of `columns`; FIT_BLANK becomes a blank.  Continuation lines begin
 * under the FIT_HANG of the line; without one they are indented as the line is, or by `hang` if the line is not indented. */
void fit_lines(struct text *, size_t from, size_t hang, unsigned columns);

#endif
