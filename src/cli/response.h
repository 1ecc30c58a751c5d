/* Response files: the argument @FILE stands for those that FILE holds. */
#ifndef FPMOVE_CLI_RESPONSE_H
#define FPMOVE_CLI_RESPONSE_H

#include "base/arena.h"

#include <stdbool.h>

struct command_line {
	int argc;
	char **argv;
};

/* Puts in the place of the argument `at`, which is "@FILE", what FILE holds.  False: said. */
bool response_insert(struct arena *, struct command_line *, int at);

#endif
