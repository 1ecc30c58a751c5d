/* --pairs: a CSV table that says which programs are drawn together. */
#ifndef FPMOVE_CLI_PAIR_TABLE_H
#define FPMOVE_CLI_PAIR_TABLE_H

#include "base/diag.h"

struct table_row {
	const char *vs, *ps; /* names of the programs; NULL if the field is empty */
	uint32_t line;       /* line in which the row begins */
	const char *wrong;   /* why the row cannot be read; NULL if it can */
};
struct pair_table {
	VEC(struct table_row);
};

/* Reads the table: a line with the names of columns, then a line for each pair; fields are separated by commas, semicolons or tabs.
 * `columns` is the value of --pairs-columns, as VP,FP; if it is NULL, the usual names are looked for.  Returns false, and the reason in
 * `*why`, if the first line does not name both columns. */
bool pair_table_read(struct arena *, const struct source *, const char *columns, struct pair_table *, const char **why);

#endif
