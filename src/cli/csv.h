/* --csv: a line for each pair, for a spreadsheet. */
#ifndef FPMOVE_CLI_CSV_H
#define FPMOVE_CLI_CSV_H

#include "pipeline.h"

/* The names of the columns of csv_pair, as the first line. */
extern const char csv_head[];
/* The line of one run; `vs` and `ps` name the programs that it did not find. */
void csv_pair(struct text *, const struct run *, const char *vs, const char *ps);
/* A quoted field and the comma behind it. */
void csv_field(struct text *, const char *);

#endif
