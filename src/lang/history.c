/* Keeps the history of a program, see history.h. */
#include "lang/history.h"

#include <string.h>

static bool programs_differ(const struct program *a, const struct program *b)
{
	if (a->instrs.n != b->instrs.n || a->decls.n != b->decls.n)
		return true;
	bool same = memcmp(a->instrs.at, b->instrs.at, a->instrs.n * sizeof *a->instrs.at) == 0;
	for (uint32_t k = 0; same && k < a->decls.n; k++)
		same = memcmp(&a->decls.at[k], &b->decls.at[k], sizeof *a->decls.at) == 0;
	return !same;
}

static void add_to_history(struct arena *a, struct program *p, const char *pass)
{
	struct history *h = arena_alloc(a, sizeof *h);
	*h = (struct history){.before = p->history, .pass = pass, .program = program_copy(a, p)};
	p->history = h;
}

void history_begin(struct arena *a, struct program *p, const char *pass)
{
	p->history = NULL;
	add_to_history(a, p, pass);
}

void history_note(struct arena *a, struct program *p, const char *pass)
{
	if (p->history && programs_differ(p->history->program, p))
		add_to_history(a, p, pass);
}
