/* Reads CSV tables whose first line names the columns. */
#ifndef FPMOVE_CLI_CSV_READ_H
#define FPMOVE_CLI_CSV_READ_H

#include "base/diag.h"

#include <stdbool.h>

struct csv_fields {
	VEC(const char *);
};

struct csv_reader {
	struct arena *arena;
	const char *at, *end;
	char separator;    /* character between fields */
	uint32_t line;     /* line on which the next record begins, from 1 */
	uint32_t record;   /* line on which the last record began */
	struct csv_fields head, fields; /* fields of the first line and of the last record */
	bool open;         /* true if the last record lacks a closing quote */
};

/* Starts to read a table: reads its first line, the column names.  The separator is the comma, semicolon or tab, whichever that line has most
 * of. */
struct csv_reader csv_open(struct arena *, const struct source *);
/* Reads the next record that is not empty into `fields`.  Returns false at the end of the table. */
bool csv_next(struct csv_reader *);
/* Returns the index of the column with that name of `n` letters, in any letter case, or -1 if there is none. */
int csv_named(const struct csv_reader *, const char *name, size_t n);
/* Returns the index of the column with the first of the names (separated by blanks, in any letter case) that a column has, or -1 if there is
 * none. */
int csv_column(const struct csv_reader *, const char *names);
/* Returns the last record's field in that column, or NULL if it is empty or missing, or if `column` is -1. */
const char *csv_field_at(const struct csv_reader *, int column);

#endif
