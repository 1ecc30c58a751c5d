/* A project's options: the file .fpmove beside its shaders, or in a folder above. */
#ifndef FPMOVE_CLI_CONFIG_H
#define FPMOVE_CLI_CONFIG_H

#include "cli/arguments.h"

/* Finds the file of options that is nearest to all `files`, for each from its folder up to the root.  `*config` becomes NULL if there
 * is none.  Returns false after a message on standard error if it is another file for one than for another. */
bool config_find(struct arena *, const struct names *files, const char **config);
/* Reads the options of `config` through `to`, which takes what they name from the file's folder.  Returns false after a message on
 * standard error if one of them is wrong. */
bool config_read(struct arguments *to, const char *config);

#endif
