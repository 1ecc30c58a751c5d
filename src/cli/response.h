/* Response files: the argument @FILE stands for those that FILE holds. */
#ifndef FPMOVE_CLI_RESPONSE_H
#define FPMOVE_CLI_RESPONSE_H

#include "base/arena.h"

#include <stdbool.h>

struct command_line {
	int argc;
	char **argv;
};

/* Puts the arguments that `file` holds in the place of the argument `at`, which names it.  Returns false after a message on standard
 * error if it cannot be read. */
bool response_insert(struct arena *, struct command_line *, int at, const char *file);

#endif
