/* Links one pixel program of model 3 to several vertex programs, see link.h.
 *
 * link_pair() gave each pair's pixel program the numbers of its vertex program's oT#.  If two vertex programs have a usage in different
 * o#, the pixel program has different numbers in the two pairs.  So the oT# of each vertex program get the numbers of the first pair's
 * pixel program, and a usage that the pixel program does not read gets one number in all pairs.  Lanes that the planner adds to an oT#
 * then have the same usage in all pairs. */
#include "lang/link.h"

enum { NOWHERE = -1 };

/* The usages of one register, in the order of their declarations. */
struct packed {
	unsigned n;
	struct {
		uint8_t usage, index;
		lanes mask;
	} of[LANES];
};

struct linked_group {
	const struct program *ps;          /* the pixel program of the first pair */
	struct packed read[MOST_TEX_OUTS]; /* the usages of each t# of `ps` */
	struct packed out[MOST_TEX_OUTS];  /* the usages of each oT# in the vertex programs so far; `n` is 0 if none declares it */
};

static bool is_input_of_file(const struct decl *d, enum reg_file file)
{
	return d->kind == DECL_PIXEL_INPUT && d->reg.file == file;
}

static struct packed usages_in_register(const struct program *p, enum decl_kind kind, enum reg_file file, int index)
{
	struct packed all = {0};
	for (uint32_t k = 0; k < p->decls.n && all.n < LANES; k++) {
		const struct decl *d = &p->decls.at[k];
		if (d->kind != kind || d->reg.file != file || d->reg.index != index)
			continue;
		all.of[all.n].usage = d->usage;
		all.of[all.n].index = d->usage_index;
		all.of[all.n++].mask = d->reg.mask;
	}
	return all;
}

static struct packed usages_in_output(const struct program *vs, int index)
{
	return usages_in_register(vs, DECL_OUTPUT, REG_TEX_OUT, index);
}

/* Returns true if both have the same usages in the same order and, if there are several, in the same lanes. */
static bool same_usages(const struct packed *a, const struct packed *b)
{
	bool same = a->n == b->n;
	for (unsigned k = 0; same && k < a->n; k++)
		same = a->of[k].usage == b->of[k].usage && a->of[k].index == b->of[k].index && (a->n == 1 || a->of[k].mask == b->of[k].mask);
	return same;
}

static bool has_first_usage(const struct packed *p, const struct packed *of)
{
	for (unsigned k = 0; k < p->n; k++)
		if (p->of[k].usage == of->of[0].usage && p->of[k].index == of->of[0].index)
			return true;
	return false;
}

/* Sets to[n] to the first pair's number of each t`n` of a pair.  Returns false if two t# of one pair are one t# of the other, if a colour has
 * another v#, or if the pairs interpolate a register differently. */
static bool follow_inputs(const struct linked_group *g, const struct program *ps, int16_t to[MOST_TEX_OUTS])
{
	unsigned taken = 0;
	for (uint32_t k = 0; k < ps->decls.n; k++) {
		const struct decl *d = &ps->decls.at[k], *first = &g->ps->decls.at[k];
		int16_t const index = first->reg.index;
		if (d->flags != first->flags || d->lone_pp != first->lone_pp || (is_input_of_file(d, REG_INPUT) && d->reg.index != index))
			return false;
		if (!is_input_of_file(d, REG_TEXCOORD) || to[d->reg.index] == index)
			continue;
		if (to[d->reg.index] != NOWHERE || taken >> index & 1)
			return false;
		to[d->reg.index] = index;
		taken |= 1u << index;
	}
	return true;
}

/* Returns a number for an oT# that the pixel program does not read: the number that its first usage has in earlier pairs, else its own number
 * if that is free, else the first free one, or NOWHERE if there is none. */
static int16_t number_of_unread(const struct linked_group *g, const struct packed *of, int16_t own, unsigned taken)
{
	int16_t found = NOWHERE;
	for (int16_t n = MOST_TEX_OUTS; n-- > 0;) {
		if (g->read[n].n || taken >> n & 1)
			continue;
		if (has_first_usage(&g->out[n], of))
			return n;
		if (!g->out[n].n && found != own)
			found = n;
	}
	return found;
}

/* Sets to[n] to the new number of each declared oT`n` of a pair that has none yet.  Returns false if no numbering fits. */
static bool follow_outputs(struct linked_group *g, const struct program *vs, int16_t to[MOST_TEX_OUTS])
{
	unsigned taken = 0;
	for (int n = 0; n < MOST_TEX_OUTS; n++)
		taken |= to[n] != NOWHERE ? 1u << to[n] : 0;
	for (int16_t n = 0; n < MOST_TEX_OUTS; n++) {
		struct packed const here = usages_in_output(vs, n);
		if (!here.n)
			continue;
		if (to[n] == NOWHERE)
			to[n] = number_of_unread(g, &here, n, taken);
		if (to[n] == NOWHERE || (to[n] >= MOST_TEXCOORDS && n < MOST_TEXCOORDS && vs->promised.texcoord[n]) ||
		    (g->out[to[n]].n && !same_usages(&here, &g->out[to[n]])))
			return false;
		taken |= 1u << to[n];
		g->out[to[n]] = here;
	}
	return true;
}

static void renumber_register(const int16_t to[MOST_TEX_OUTS], uint8_t file, int16_t *index, enum reg_file of)
{
	if (file == of && to[*index] != NOWHERE)
		*index = to[*index];
}

static const struct program *renumber_program(struct arena *arena, const struct program *p, enum reg_file file, const int16_t to[MOST_TEX_OUTS])
{
	struct program *copy = program_copy(arena, p);
	for (uint32_t k = 0; k < copy->decls.n; k++)
		renumber_register(to, copy->decls.at[k].reg.file, &copy->decls.at[k].reg.index, file);
	for (int n = 0; n < MOST_TEXCOORDS; n++)
		copy->promised.texcoord[n] = 0;
	for (int n = 0; n < MOST_TEXCOORDS; n++)
		if (p->promised.texcoord[n])
			copy->promised.texcoord[to[n] == NOWHERE ? n : to[n]] = p->promised.texcoord[n];
	for (uint32_t k = 0; k < copy->instrs.n; k++) {
		struct instr *i = &copy->instrs.at[k];
		if (!(ops[i->op].flags & OPF_NO_DST))
			renumber_register(to, i->dst.file, &i->dst.index, file);
		EACH_SOURCE(s, i)
			renumber_register(to, i->src[s].file, &i->src[s].index, file);
	}
	return copy;
}

/* Returns true if a vertex program agrees with the others on each register that has several usages in one of them: new lanes get the last
 * usage of a register, so it must be the same in all. */
static bool agree_on_packing(const struct linked_group *g, const struct program *vs, const struct program *first)
{
	struct packed const colours = usages_in_register(vs, DECL_OUTPUT, REG_COLOUR_OUT, 0);
	struct packed const first_colours = usages_in_register(first, DECL_OUTPUT, REG_COLOUR_OUT, 0);
	bool alike = (colours.n < 2 && first_colours.n < 2) || same_usages(&colours, &first_colours);
	for (int n = 0; n < MOST_TEX_OUTS; n++) {
		struct packed const here = usages_in_output(vs, n);
		alike &= (g->read[n].n < 2 && g->out[n].n < 2) || same_usages(&here, &g->out[n]);
	}
	return alike;
}

bool link_group(struct arena *arena, const struct program **vs, const struct program **ps, uint32_t n, struct link_kept *kept)
{
	if (!model_links(ps[0]->model))
		return true;
	struct linked_group g = {.ps = ps[0]};
	const struct program **new_vs = arena_alloc(arena, 2 * n * sizeof *new_vs), **new_ps = new_vs + n;
	for (int t = 0; t < MOST_TEX_OUTS; t++)
		g.read[t] = usages_in_register(ps[0], DECL_PIXEL_INPUT, REG_TEXCOORD, t);
	for (uint32_t k = 0; k < n; k++) {
		int16_t to[MOST_TEX_OUTS];
		for (int t = 0; t < MOST_TEX_OUTS; t++)
			to[t] = NOWHERE;
		if (!follow_inputs(&g, ps[k], to) || !follow_outputs(&g, vs[k], to))
			return false;
		new_vs[k] = renumber_program(arena, vs[k], REG_TEX_OUT, to);
		new_ps[k] = renumber_program(arena, ps[k], REG_TEXCOORD, to);
	}
	for (uint32_t k = 0; k < n; k++)
		if (!agree_on_packing(&g, new_vs[k], new_vs[0]))
			return false;
	for (uint32_t k = 0; k < n; k++) {
		vs[k] = new_vs[k];
		ps[k] = new_ps[k];
	}
	for (int t = 0; t < MOST_TEX_OUTS; t++) {
		unsigned const usages = g.out[t].n;
		if (usages)
			kept->of[t] = (struct link_usage){true, g.out[t].of[usages - 1].usage, g.out[t].of[usages - 1].index};
	}
	return true;
}
