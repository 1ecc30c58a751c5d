/* Finds names in the user's table, see given_names.h. */
#include "lang/given_names.h"

#include <string.h>

/* Returns true if `file` is `path` or the end of it behind a slash. */
static bool path_ends_with(const char *path, const char *file)
{
	size_t const n = strlen(path), m = strlen(file);
	return n >= m && strcmp(path + n - m, file) == 0 && (n == m || path[n - m - 1] == '/');
}

/* Returns a rank of how closely the row fits the program; 0 if it is for another program or stage. */
static unsigned closeness(const struct program *p, const struct given_name *row)
{
	enum { FOR_ANY = 1, FOR_STAGE = 2, FOR_PROGRAM = 3 };
	if (!row->of[program_stage(p)] || (row->program && (!p->source || !path_ends_with(p->source->name, row->program))))
		return 0;
	unsigned const by_stage = row->of[STAGE_VERTEX] && row->of[STAGE_PIXEL] ? 0 : FOR_STAGE - FOR_ANY;
	return (row->program ? FOR_PROGRAM : FOR_ANY) + by_stage;
}

const struct given_name *given_name_find(const struct program *p, int constant)
{
	const struct given_name *found = NULL;
	unsigned best = 0;
	for (uint32_t k = 0; p->named && k < p->named->n; k++) {
		const struct given_name *row = &p->named->at[k];
		bool const has = constant >= row->reg && constant < row->reg + row->size;
		unsigned const close = has ? closeness(p, row) : 0;
		found = close > best ? row : found;
		best = close > best ? close : best;
	}
	return found && !program_decl(p, REG_CONST, constant) ? found : NULL;
}

struct register_set given_names_registers(const struct program *p)
{
	struct register_set all = {{0}};
	for (int c = 0; p->named && c < models[p->model].consts; c++)
		if (given_name_find(p, c))
			register_put_in(&all, c);
	return all;
}
