/* Names and writes the C functions of --preshader, see preshader.h. */
#include "cli/preshader.h"

#include "cli/files.h"
#include "cli/show.h"
#include "lang/print_c.h"

#include <stdlib.h>
#include <string.h>

static const char *stem_name(struct arena *a, const char *path)
{
	struct text t = {.arena = a};
	const char *base = file_base(path), *dot = strrchr(base, '.');
	print_c_name(&t, path, dot && dot != base ? (size_t)(dot - path) : strlen(path));
	return t.at;
}

const char *preshader_name(const struct run *r)
{
	const char *file = r->ps->source->name;
	return arena_printf(r->arena, "%s_constants", strcmp(file, "-") == 0 ? "stdin" : stem_name(r->arena, file_base(file)));
}

static int by_function_name(const void *a, const void *b)
{
	const struct batch_pair *x = *(const struct batch_pair *const *)a, *y = *(const struct batch_pair *const *)b;
	int order = strcmp(x->function, y->function);
	return order ? order : (x->index > y->index) - (x->index < y->index);
}

void preshader_name_all(struct arena *a, struct collected *c)
{
	uint32_t n = 0;
	struct batch_pair **pairs = arena_alloc(a, (c->pairs.n + 1) * sizeof *pairs);
	for (uint32_t i = 0; i < c->pairs.n; i++) {
		if (c->pairs.at[i].effect)
			continue;
		pairs[n] = &c->pairs.at[i];
		pairs[n]->function = stem_name(a, pairs[n]->ps_out);
		n++;
	}
	/* Adds numbers to equal names, such as those of a-b.psh and a_b.psh, until all differ. */
	for (bool again = true; again;) {
		again = false;
		qsort(pairs, n, sizeof *pairs, by_function_name);
		for (uint32_t first = 0, end; first < n; first = end) {
			const char *name = pairs[first]->function;
			for (end = first + 1; end < n && strcmp(pairs[end]->function, name) == 0; end++) {
				pairs[end]->function = arena_printf(a, "%s_%u", name, (unsigned)(end - first + 1));
				again = true;
			}
		}
	}
	for (uint32_t i = 0; i < n; i++)
		pairs[i]->function = arena_printf(a, "%s_constants", pairs[i]->function);
}

void preshader_function(struct text *t, const struct run *r, const char *name)
{
	struct text about = {.arena = t->arena};
	show_names(&about, r);
	print_c_function(t, name, about.at, r->needs.consts.at, r->needs.consts.n, r->needs.folds.at, r->needs.folds.n,
	                 r->ps);
}
