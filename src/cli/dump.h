/* --dump: what the planner thought and what each pass did, for one pair. */
#ifndef FPMOVE_CLI_DUMP_H
#define FPMOVE_CLI_DUMP_H

#include "pipeline.h"

/* In the order in which they are shown, whatever the order on the command line. */
enum dump { DUMP_VALUES = 1, DUMP_ALTERNATIVES = 2, DUMP_PLAN = 4, DUMP_LAYOUT = 8, DUMP_PASSES = 16, DUMP_ALL = 31 };

/* Adds the bits of words parted by commas; false, said: one of them is none. */
bool dump_wanted(const char *words, unsigned *bits);
/* Of a done run whose programs have histories. */
void show_dump(struct text *, const struct run *, unsigned bits);

#endif
