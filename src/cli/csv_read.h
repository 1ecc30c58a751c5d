/* Tables that are read: CSV with the names of its columns in the first line. */
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
	char comma;        /* that parts fields */
	uint32_t line;     /* that the next record begins on, from 1 */
	uint32_t record;   /* that the last one began on */
	struct csv_fields head, fields; /* of the first line, and of the last record */
	bool open;         /* a quote of the last record was not closed */
};

/* Begins with the first line.  Which of , ; and tabs that has most of parts fields in all of them. */
struct csv_reader csv_open(struct arena *, const struct source *);
/* Reads the next record that has any field; false at the end. */
bool csv_next(struct csv_reader *);
/* Returns the number of the column that has one of the names (parted by blanks, in any letter case); -1 if there is none. */
int csv_column(const struct csv_reader *, const char *names);
/* Returns a field of the last record; NULL if it is empty or not there. */
const char *csv_field_at(const struct csv_reader *, int column);

#endif
