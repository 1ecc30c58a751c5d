/* See history.h. */
#include "lang/history.h"

#include <string.h>

static bool is_changed(const struct program *a, const struct program *b)
{
	if (a->instrs.n != b->instrs.n || a->decls.n != b->decls.n)
		return true;
	bool same = memcmp(a->instrs.at, b->instrs.at, a->instrs.n * sizeof *a->instrs.at) == 0;
	for (uint32_t k = 0; same && k < a->decls.n; k++)
		same = memcmp(&a->decls.at[k], &b->decls.at[k], sizeof *a->decls.at) == 0;
	return !same;
}

static void note(struct arena *a, struct program *p, const char *pass)
{
	struct history *h = arena_alloc(a, sizeof *h);
	*h = (struct history){p->history, pass, program_copy(a, p)};
	p->history = h;
}

void history_begin(struct arena *a, struct program *p, const char *pass)
{
	p->history = NULL;
	note(a, p, pass);
}

void history_note(struct arena *a, struct program *p, const char *pass)
{
	if (p->history && is_changed(p->history->program, p))
		note(a, p, pass);
}
