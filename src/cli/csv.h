/* --csv: writes one line per pair, for a spreadsheet. */
#ifndef FPMOVE_CLI_CSV_H
#define FPMOVE_CLI_CSV_H

#include "pipeline.h"

/* The first line: names of the columns that csv_pair writes. */
extern const char csv_head[];
/* Writes the line of one run.  `vs` and `ps` name programs that the run could not read. */
void csv_pair(struct text *, const struct run *, const char *vs, const char *ps);
/* Writes a quoted field and a comma. */
void csv_field(struct text *, const char *);

#endif
