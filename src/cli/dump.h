/* --dump: shows how one pair was planned and what each pass changed. */
#ifndef FPMOVE_CLI_DUMP_H
#define FPMOVE_CLI_DUMP_H

#include "pipeline.h"

/* Bits of the parts of a dump, in the order in which show_dump() writes them. */
enum dump { DUMP_VALUES = 1, DUMP_ALTERNATIVES = 2, DUMP_PLAN = 4, DUMP_LAYOUT = 8, DUMP_PASSES = 16, DUMP_ALL = 31 };

/* Reads the words of --dump, separated by commas, and sets the bits of enum dump for them.  Returns false after a message if a word is unknown. */
bool dump_wanted(const char *words, unsigned *bits);
/* Writes the parts in `bits` for a pair that is done.  Its programs must have histories, which record the program after each pass. */
void show_dump(struct text *, const struct run *, unsigned bits);

#endif
