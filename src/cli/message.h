/* Messages to users: diagnostics with their source line, and plain errors. */
#ifndef FPMOVE_CLI_MESSAGE_H
#define FPMOVE_CLI_MESSAGE_H

#include "base/diag.h"

/* The command's name, such as "fpmove", with which its messages begin.  Each command defines it. */
extern const char command_name[];
/* The program's version and the hash of its sources: "fpmove 0.1.0 (build 1a2b3c4d)". */
extern const char build_name[];

/* The exit statuses.  EXIT_REJECTED: an input was rejected, or a result is wrong.  EXIT_USAGE: wrong usage, or a file cannot be read or written.
 * EXIT_FAULT: a result failed its proof. */
enum { EXIT_DONE, EXIT_REJECTED, EXIT_USAGE, EXIT_FAULT };

/* Print `fpmove: error: ...` or `fpmove: note: ...` on standard error at once.  To end a function with, message_error() returns false and
 * message_usage() EXIT_USAGE. */
bool message_error(const char *format, ...) PRINTF_LIKE(1, 2);
int message_usage(const char *format, ...) PRINTF_LIKE(1, 2);
void message_note(const char *format, ...) PRINTF_LIKE(1, 2);

/* Sets `*why` to a sentence, and returns false. */
bool reason_for(struct arena *, const char **why, const char *format, ...) PRINTF_LIKE(3, 4);

/* Writes the line of message_error() to a text, to be printed later. */
void text_error(struct text *, const char *format, ...) PRINTF_LIKE(2, 3);

/* Writes each diagnostic as file:line:col: error: text [rule], with the source line and a caret; only errors if `quiet`.  Then writes the number
 * of errors and warnings that were counted but not stored. */
void message_diags(struct text *, const struct diags *, bool colour, bool quiet);

/* Writes the part of the source line around the column, and a caret under it.  Tabs stay tabs, other control characters become spaces, and
 * the continuation bytes of a UTF-8 character take no column. */
void message_place(struct text *, const struct place *, bool colour);

/* Writes the first error without source line, colours and line end.  Returns false if there is no error. */
bool message_first_error(struct text *, const struct diags *);

/* The names of severities, by enum severity. */
extern const char *const severity_names[];
/* Returns a file's name as messages show it: <stdin> for "-". */
const char *shown_name(const char *);

#endif
