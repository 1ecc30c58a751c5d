/* Reads the options of a project: the file .fpmove beside its shaders, or in a folder above. */
#ifndef FPMOVE_CLI_CONFIG_H
#define FPMOVE_CLI_CONFIG_H

#include "cli/arguments.h"

/* Finds the nearest file of options for `files`: in the folder of each, or in the next folder above up to the root.  Sets `*config` to NULL
 * if there is none.  Returns false after a message on standard error if two of `files` have different ones. */
bool config_find(struct arena *, const struct names *files, const char **config);
/* Reads the options in the file `config`, and hands each to the function `apply` of `to`.  Relative file names in them start from the folder of
 * `config`.  Returns false after a message on standard error if one of the options is wrong. */
bool config_read(struct arguments *to, const char *config);

#endif
