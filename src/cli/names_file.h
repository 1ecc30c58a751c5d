/* --names: a table of the names of constants. */
#ifndef FPMOVE_CLI_NAMES_FILE_H
#define FPMOVE_CLI_NAMES_FILE_H

#include "lang/given_names.h"

/* Reads the table of --names.  Adds its rows to `all`, the text of all options that decide about outputs.  Returns NULL after a message on
 * standard error if the table cannot be read, or a line is wrong. */
const struct given_names *names_from_file(struct arena *, const char *path, struct text *all);

#endif
