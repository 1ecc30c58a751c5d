/* What is said to people: diagnostics with their source line, and plain errors. */
#ifndef FPMOVE_CLI_MESSAGE_H
#define FPMOVE_CLI_MESSAGE_H

#include "base/diag.h"

/* What messages begin with: each command has its own. */
extern const char command_name[];
/* The program and its sources: "fpmove 0.1.0 (build 1a2b3c4d)". */
extern const char build_name[];

/* `fpmove: error: ...` and `fpmove: note: ...` to standard error at once. */
void message_error(const char *format, ...) PRINTF_LIKE(1, 2);
void message_note(const char *format, ...) PRINTF_LIKE(1, 2);

/* The same, as text for later. */
void text_error(struct text *, const char *format, ...) PRINTF_LIKE(2, 3);

/* Each as file:line:col: error: text [rule], the source line, a caret; and how many were left out. */
void message_diags(struct text *, const struct diags *, bool colour, bool quiet);

/* The part of the line around the column, and a caret under it: tabs stay tabs, other control characters become spaces,
 * bytes that go on a UTF-8 character take no column. */
void message_place(struct text *, const struct place *, bool colour);

/* The first error without its source line, colours and line end; false: there is none. */
bool message_first_error(struct text *, const struct diags *);

/* Text with its control characters made visible, so that a name or a line cannot
 * steer the terminal. */
void text_visible(struct text *, const char *, size_t n);

/* A file's name for people: "-" is <stdin>. */
const char *shown_name(const char *);

#endif
