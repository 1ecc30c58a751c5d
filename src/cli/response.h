/* Response files: the argument @FILE stands for those that FILE holds. */
#ifndef FPMOVE_CLI_RESPONSE_H
#define FPMOVE_CLI_RESPONSE_H

#include "base/arena.h"

#include <stdbool.h>

struct command_line {
	int argc;
	char **argv;
};

/* The arguments that a file holds, as response_insert reads them. */
struct response {
	VEC(char *);
	struct { VEC(unsigned); } lines; /* that each begins on, from 1 */
};
/* Reads the arguments of `file`.  With `comments`, # where an argument may begin starts a comment that ends with its line.  Returns
 * false after a message on standard error if the file cannot be read. */
bool response_read(struct arena *, const char *file, bool comments, struct response *);

/* Puts the arguments that `file` holds in the place of the argument `at`, which names it.  Returns false after a message on standard
 * error if it cannot be read. */
bool response_insert(struct arena *, struct command_line *, int at, const char *file);

#endif
