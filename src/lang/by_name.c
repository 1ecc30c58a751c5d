/* Constants that are set by their names, see by_name.h. */
#include "lang/by_name.h"

#include "lang/bytecode.h"

#include <string.h>

static const struct constant_table *table_of(const struct program *p)
{
	return p->source && p->source->bytecode ? p->source->bytecode->table : NULL;
}

static bool is_parameter(const struct parameter_names *names, const char *name)
{
	bool found = false;
	for (uint32_t k = 0; k < names->n && !found; k++)
		found = strcmp(names->at[k], name) == 0;
	return found;
}

/* What the tables say of one FP constant. */
struct named_place {
	const struct table_constant *ps, *vs; /* of one name; NULL: that table has none */
	int row;                              /* the constant's within `ps` */
	bool same;                            /* `vs` is of the same type, and has that row */
};

static struct named_place find_place(const struct program *vs, const struct program *ps, int index)
{
	const struct constant_table *to = table_of(vs), *from = table_of(ps);
	struct named_place p = {.ps = from ? constant_table_find(from, KIND_FLOAT, index) : NULL};
	if (!p.ps)
		return p;
	p.row = index - p.ps->index;
	for (uint32_t k = 0; to && k < to->constants.n && !p.vs; k++)
		p.vs = strcmp(to->constants.at[k].name, p.ps->name) == 0 ? &to->constants.at[k] : NULL;
	p.same = p.vs && p.vs->kind == KIND_FLOAT && p.row < p.vs->count && constant_table_same_type(to, p.vs, from, p.ps);
	return p;
}

struct register_set by_name_withheld(const struct program *vs, const struct program *ps, const struct parameter_names *names)
{
	struct register_set withheld = {{0}};
	for (int c = 0; c < models[ps->model].consts; c++) {
		struct named_place const p = find_place(vs, ps, c);
		if (!program_decl(ps, REG_CONST, c) && (!p.ps || !is_parameter(names, p.ps->name) || (p.vs && !p.same)))
			register_put_in(&withheld, c);
	}
	return withheld;
}

struct needs by_name_alike(struct arena *a, const struct program *vs, const struct program *ps, const struct parameter_names *names)
{
	struct needs alike = {.consts = {.n = 0}};
	for (int c = 0; c < models[ps->model].consts; c++) {
		struct named_place const p = find_place(vs, ps, c);
		int const index = p.same ? p.vs->index + p.row : 0;
		if (p.same && is_parameter(names, p.ps->name) && index < models[vs->model].consts && !program_decl(ps, REG_CONST, c) &&
		    !program_decl(vs, REG_CONST, index))
			VEC_PUSH(a, &alike.consts) = (struct const_map){.vs = index, .ps = c};
	}
	return alike;
}
