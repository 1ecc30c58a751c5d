/* --csv: writes one line per pair, for a spreadsheet. */
#ifndef FPMOVE_CLI_CSV_H
#define FPMOVE_CLI_CSV_H

#include "pipeline.h"

/* The first line: names of the columns that csv_pair writes. */
extern const char csv_head[];
/* Writes the line of one pair.  `vs` and `ps` are file names for programs that could not be read. */
void csv_pair(struct text *, const struct run *, const char *vs, const char *ps);
/* Writes the text as a quoted field, and a comma. */
void csv_field(struct text *, const char *);

#endif
