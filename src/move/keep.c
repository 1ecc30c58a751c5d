/* Copies a result, so that the memory of its planning can be freed. */
#include "move/passes.h"

#include <string.h>

/* Copies comments, but not their text: it is in the source, and is printed as it stood there. */
static struct comment *kept_comments(struct arena *a, const struct comment *old)
{
	struct comment *first = NULL, **link = &first;
	for (; old; old = old->next) {
		struct comment *copy = arena_alloc(a, sizeof *copy);
		*copy = *old;
		copy->next = NULL;
		*link = copy;
		link = &copy->next;
	}
	return first;
}

static struct program *kept_program(struct arena *a, const struct program *p)
{
	struct program *copy = program_copy(a, p);
	copy->head = kept_comments(a, p->head);
	copy->intro = kept_comments(a, p->intro);
	copy->tail = kept_comments(a, p->tail);
	for (uint32_t k = 0; k < copy->decls.n; k++)
		copy->decls.at[k].comments = kept_comments(a, p->decls.at[k].comments);
	for (uint32_t k = 0; k < copy->instrs.n; k++)
		copy->instrs.at[k].comments = kept_comments(a, p->instrs.at[k].comments);
	copy->needs = (struct needs){0}; /* src/pipeline.c fills them from the result */
	return copy;
}

struct move_result *move_keep(struct arena *a, const struct move_result *r, uint32_t instrs)
{
	struct move_result *copy = arena_alloc(a, sizeof *copy);
	*copy = *r;
	copy->vs = kept_program(a, r->vs);
	copy->ps = kept_program(a, r->ps);
	copy->fates = (struct fate *)(void *)arena_copy(a, r->fates, instrs * sizeof *r->fates);
	copy->consts.at = (struct const_map *)(void *)arena_copy(a, r->consts.at, r->consts.n * sizeof *r->consts.at);
	copy->consts.cap = r->consts.n;
	copy->folds.at = (struct folded *)(void *)arena_copy(a, r->folds.at, r->folds.n * sizeof *r->folds.at);
	copy->folds.cap = r->folds.n;
	for (uint32_t k = 0; k < r->folds.n; k++)
		copy->folds.at[k].expr = k && r->folds.at[k].expr == r->folds.at[k - 1].expr ? copy->folds.at[k - 1].expr
		                                                                          : kept_program(a, r->folds.at[k].expr);
	copy->story = NULL;
	return copy;
}
