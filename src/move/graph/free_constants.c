/* Finds constant registers that are free, see free_constants.h. */
#include "move/graph/free_constants.h"

struct register_set constants_taken(const struct program *p, bool named)
{
	struct register_set taken = constants_of_both(p->reserved, program_reads_all(p, REG_CONST, named));
	for (uint32_t k = 0; k < p->decls.n; k++)
		if (p->decls.at[k].kind == DECL_DEF)
			register_put_in(&taken, p->decls.at[k].reg.index);
	return taken;
}

int constants_last_free(const struct register_set *taken, struct range range)
{
	int c = range.last < MOST_CONSTS ? range.last : MOST_CONSTS - 1;
	while (c >= range.first && register_is_in(taken, c))
		c--;
	return c >= range.first ? c : -1;
}

int constants_take(struct register_set *taken, struct range range)
{
	int const c = constants_last_free(taken, range);
	if (c >= 0)
		register_put_in(taken, c);
	return c;
}
