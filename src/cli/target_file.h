/* Cost profiles by name or from a JSON file. */
#ifndef FPMOVE_CLI_TARGET_FILE_H
#define FPMOVE_CLI_TARGET_FILE_H

#include "move/target/target.h"

/* A file { "name": "mine", "instr": 1, "lane": 0, "tex": 1, "order": 0, "varying": 0, "vertex": 0 };
 * what is left out is 0.  The name lives in the arena.  False, said: it cannot be read. */
bool target_from_file(struct arena *, const char *path, struct target *);

#endif
