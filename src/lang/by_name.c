/* Constants that are set by their names, see by_name.h. */
#include "lang/by_name.h"

#include "lang/bytecode.h"

#include <string.h>

static const struct constant_table *program_table(const struct program *p)
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

/* The rows of both tables that have the name of one FP constant. */
struct shared_name {
	const struct table_constant *ps; /* the FP's row, or NULL if the constant has no name, or shares it or a register with another row */
	const struct table_constant *vs; /* the VP's row of the same name, or NULL if there is none */
	int row;                         /* index of the constant among the registers of `ps`, from 0 */
	bool same;                       /* setting the name gives register `row` of `vs` the same value as that of `ps` */
};

static struct shared_name find_shared_name(const struct program *vs, const struct program *ps, int index)
{
	const struct constant_table *to = program_table(vs), *from = program_table(ps);
	struct shared_name p = {.ps = from ? constant_table_find(from, KIND_FLOAT, index) : NULL};
	if (!p.ps || !constant_table_is_unique(from, p.ps))
		return (struct shared_name){0};
	p.row = index - p.ps->index;
	for (uint32_t k = 0; to && k < to->constants.n && !p.vs; k++)
		p.vs = strcmp(to->constants.at[k].name, p.ps->name) == 0 ? &to->constants.at[k] : NULL;
	p.same = p.vs && p.vs->kind == KIND_FLOAT && p.row < p.vs->count && constant_table_is_unique(to, p.vs) &&
	         constant_table_same_type(to, p.vs, from, p.ps);
	return p;
}

struct register_set by_name_withheld(const struct program *vs, const struct program *ps, const struct parameter_names *names)
{
	struct register_set withheld = {{0}};
	for (int c = 0; c < models[ps->model].consts; c++) {
		struct shared_name const p = find_shared_name(vs, ps, c);
		if (!program_decl(ps, REG_CONST, c) && (!p.ps || !is_parameter(names, p.ps->name) || (p.vs && !p.same)))
			register_put_in(&withheld, c);
	}
	return withheld;
}

const char *by_name_unknown(struct arena *a, const struct program *p, int index, const struct parameter_names *names)
{
	const struct constant_table *t = program_table(p);
	const struct table_constant *c = t ? constant_table_find(t, KIND_FLOAT, index) : NULL;
	struct text shown = {.arena = a};
	if (!c || is_parameter(names, c->name))
		return NULL;
	constant_table_print_name(&shown, c->name);
	return shown.at;
}

bool by_name_sets(const struct program *vs, int vs_index, const struct program *ps, int ps_index)
{
	const struct constant_table *to = program_table(vs), *from = program_table(ps);
	const struct table_constant *c = to ? constant_table_find(to, KIND_FLOAT, vs_index) : NULL;
	const struct table_constant *d = from ? constant_table_find(from, KIND_FLOAT, ps_index) : NULL;
	return c && d && strcmp(c->name, d->name) == 0 && vs_index - c->index == ps_index - d->index && constant_table_is_unique(to, c);
}

/* Returns true if both programs use constant c`index`, but not as the same parameter.  A program uses a constant that its table names, or that an
 * instruction reads without a def. */
static bool constants_differ(const struct program *p, const struct program *q, int index)
{
	const struct constant_table *t = program_table(p), *u = program_table(q);
	const struct table_constant *c = t ? constant_table_find(t, KIND_FLOAT, index) : NULL;
	const struct table_constant *d = u ? constant_table_find(u, KIND_FLOAT, index) : NULL;
	bool const set = c || program_reads_from_outside(p, index), other_set = d || program_reads_from_outside(q, index);
	bool const same = c && d && strcmp(c->name, d->name) == 0 && c->index == d->index && constant_table_same_type(t, c, u, d);
	return set && other_set && !same;
}

struct register_set by_name_apart(const struct program *const *ps, uint32_t n)
{
	struct register_set apart = {{0}};
	for (int c = 0; c < models[ps[0]->model].consts; c++)
		for (uint32_t k = 0; k < n; k++)
			for (uint32_t j = 0; j < k; j++)
				if (constants_differ(ps[j], ps[k], c))
					register_put_in(&apart, c);
	return apart;
}

struct register_set by_name_twice(const struct program *vs, const struct program *ps)
{
	struct register_set twice = {{0}};
	for (int c = 0; c < models[ps->model].consts; c++)
		if (find_shared_name(vs, ps, c).vs)
			register_put_in(&twice, c);
	return twice;
}

struct needs by_name_alike(struct arena *a, const struct program *vs, const struct program *ps, const struct parameter_names *names)
{
	struct needs alike = {.consts = {.n = 0}};
	for (int c = 0; c < models[ps->model].consts; c++) {
		struct shared_name const p = find_shared_name(vs, ps, c);
		int const index = p.same ? p.vs->index + p.row : 0;
		if (p.same && is_parameter(names, p.ps->name) && index < models[vs->model].consts && !program_decl(ps, REG_CONST, c) &&
		    !program_decl(vs, REG_CONST, index))
			VEC_PUSH(a, &alike.consts) = (struct const_map){.vs = index, .ps = c};
	}
	return alike;
}
