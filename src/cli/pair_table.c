/* Reads the table of --pairs, see pair_table.h. */
#include "cli/pair_table.h"

#include "cli/csv_read.h"
#include "cli/message.h"

#include <string.h>

/* Finds both columns: those that `given` names as VP,FP, or those with usual names if it is NULL.  Returns false if one is missing. */
static bool find_columns(const struct csv_reader *c, const char *given, int *vs, int *ps)
{
	const char *comma = given ? strchr(given, ',') : NULL;
	*vs = comma ? csv_named(c, given, (size_t)(comma - given)) : csv_column(c, "vp vs vertex");
	*ps = comma ? csv_named(c, comma + 1, strlen(comma + 1)) : csv_column(c, "fp ps pixel");
	return *vs >= 0 && *ps >= 0;
}

bool pair_table_read(struct arena *a, const struct source *s, const char *columns, struct pair_table *table, const char **why)
{
	int vs, ps;
	struct csv_reader c = csv_open(a, s);
	*table = (struct pair_table){0};
	if (!find_columns(&c, columns, &vs, &ps))
		return reason_for(a, why, columns ? "%s: no columns %s in its first line" :
		                  "%s: no columns named vp, vs or vertex, and fp, ps or pixel, in its first line; --pairs-columns=VP,FP takes others",
		                  shown_name(s->name), columns);
	while (csv_next(&c)) {
		struct table_row const row = {.line = c.record, .vs = csv_field_at(&c, vs), .ps = csv_field_at(&c, ps),
		                              .wrong = c.open ? "a quote is not closed" : NULL};
		if (row.vs || row.ps || row.wrong)
			VEC_PUSH(a, table) = row;
	}
	return true;
}
