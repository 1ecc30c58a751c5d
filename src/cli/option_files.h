/* Reads files that options name, and the file of a project's options (.fpmove).  Functions that return false or NULL have printed a message. */
#ifndef FPMOVE_CLI_OPTION_FILES_H
#define FPMOVE_CLI_OPTION_FILES_H

#include "cli/arguments.h"
#include "lang/device.h"
#include "lang/given_names.h"
#include "move/target/target.h"

/* Sets `*config` to the file of options for `files`: in the folder of each file, or in the nearest folder above; NULL if there is none.  Returns
 * false if two of `files` have different ones. */
bool config_find(struct arena *, const struct names *files, const char **config);
/* Reads the options in the file `config`, and calls `to->apply` for each.  Relative file names in the options start from the folder of `config`.
 * Returns false if the file cannot be read or an option is wrong. */
bool config_read(struct arguments *to, const char *config);

/* Reads the value of --device into `device`: a list such as ps30-slots:2048,vs-consts:256, or the name of a file with a list.  Adds a file's
 * name to `also_read`, the input files, and its limits to `decides`, the text of all options that decide about outputs. */
bool device_option(struct arena *, const char *value, struct device *, struct names *also_read, struct text *decides);

/* Reads the table of constants' names of --names.  Adds its rows to `decides`, the text of all options that decide about outputs. */
const struct given_names *names_from_file(struct arena *, const char *path, struct text *decides);

/* Reads a cost profile for --target-file, such as { "name": "mine", "instr": 1, "lane": 0, "tex": 1, "order": 0, "varying": 0, "vertex": 0 }. A
 * missing weight is 0, but a missing "output" is TARGET_OUTPUT_LANES times "lane"; a missing name is "custom". */
bool target_from_file(struct arena *, const char *path, struct target *);

#endif
