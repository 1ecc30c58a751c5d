/* --target-file: reads a cost profile from a JSON file. */
#ifndef FPMOVE_CLI_TARGET_FILE_H
#define FPMOVE_CLI_TARGET_FILE_H

#include "move/target/target.h"

/* Reads a file such as { "name": "mine", "instr": 1, "lane": 0, "tex": 1, "order": 0, "varying": 0, "vertex": 0 }.  A missing weight is 0, but a
 * missing "output" is TARGET_OUTPUT_LANES times "lane".  The name lives in the arena.  Returns false after a message on standard error. */
bool target_from_file(struct arena *, const char *path, struct target *);

#endif
