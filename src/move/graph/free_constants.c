/* Constant registers that are free, see free_constants.h. */
#include "move/graph/free_constants.h"

struct register_set constants_read(const struct program *p, bool named)
{
	struct register_set read = {{0}};
	for (uint32_t k = 0; k < p->instrs.n; k++) {
		const struct instr *i = &p->instrs.at[k];
		EACH_SOURCE(s, i) {
			const struct src *src = &i->src[s];
			bool const all = src->file == REG_CONST && src->relative;
			unsigned const rows = src->file != REG_CONST || all ? 0 : instr_rows(i, s);
			for (int c = 0; all && !named && c < MOST_CONSTS; c++)
				register_put_in(&read, c);
			for (int c = src->index; c < src->index + (int)rows && c < MOST_CONSTS; c++)
				register_put_in(&read, c);
		}
	}
	return read;
}

struct register_set constants_taken(const struct program *p, bool named)
{
	struct register_set taken = constants_of_both(p->reserved, constants_read(p, named));
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
