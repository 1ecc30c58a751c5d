/* --dump: shows how one pair was planned and what each pass changed. */
#ifndef FPMOVE_CLI_DUMP_H
#define FPMOVE_CLI_DUMP_H

#include "pipeline.h"

/* The parts, in the order in which they are shown. */
enum dump { DUMP_VALUES = 1, DUMP_ALTERNATIVES = 2, DUMP_PLAN = 4, DUMP_LAYOUT = 8, DUMP_PASSES = 16, DUMP_ALL = 31 };

/* Adds the bits of words separated by commas.  Returns false after a message if a word is unknown. */
bool dump_wanted(const char *words, unsigned *bits);
/* Writes the wanted parts of a done run whose programs have histories. */
void show_dump(struct text *, const struct run *, unsigned bits);

#endif
