/* --pairs: a table of which programs are drawn together, as CSV. */
#ifndef FPMOVE_CLI_PAIR_TABLE_H
#define FPMOVE_CLI_PAIR_TABLE_H

#include "base/diag.h"

struct table_row {
	const char *vs, *ps; /* as they are named; NULL: the field is empty */
	uint32_t line;       /* that it begins in */
	const char *wrong;   /* NULL: it can be read */
};
struct pair_table {
	VEC(struct table_row);
};

/* Reads the table: a first line with names of columns, then a line for each pair, in which a comma, a semicolon or a tab parts fields.
 * `columns` is what --pairs-columns names, as VP,FP; NULL: the usual names are looked for.  Returns false, and `*why`, if the first line
 * does not have both. */
bool pair_table_read(struct arena *, const struct source *, const char *columns, struct pair_table *, const char **why);

#endif
