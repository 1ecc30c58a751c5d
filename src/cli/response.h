/* Response files: the argument @FILE is replaced by the arguments that FILE holds. */
#ifndef FPMOVE_CLI_RESPONSE_H
#define FPMOVE_CLI_RESPONSE_H

#include "base/arena.h"

#include <stdbool.h>

struct command_line {
	int argc;
	char **argv;
};

/* The arguments that a response file holds. */
struct response {
	VEC(char *);
	struct { VEC(unsigned); } lines; /* the line on which each argument begins, from 1 */
};
/* Reads the arguments of `file`.  With `comments`, # where an argument may begin starts a comment that ends with its line.  Returns false after
 * a message on standard error if the file cannot be read or a quote is not closed. */
bool response_read(struct arena *, const char *file, bool comments, struct response *);

/* Replaces argument number `at`, which is @FILE, by the arguments that the file holds.  Returns false after a message on standard error if
 * response_read() fails. */
bool response_insert(struct arena *, struct command_line *, int at, const char *file);

#endif
