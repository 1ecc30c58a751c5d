/* Finds the values that constant registers and new instructions can deliver. */
#include "exhaustive.h"

#include <stdlib.h>
#include <string.h>

bool deliverable(const struct brute *b, const struct bundle *w)
{
	for (unsigned p = 0; p < LANES; p++)
		if (w->at >> p & 1 && (w->n[p] == PIXEL || b->t->at[w->n[p]].wild ||
		                       (b->options->drop_in && number_of_application(b->t, w->n[p]))))
			return false;
	return one_kind(b->t, w);
}

bool const_has(const struct brute *b, const struct request *w)
{
	for (int c = 0; c < 32; c++) {
		struct bundle reg = b->old_const[c];
		if (reg.at && request_shown(b->t, w, &reg, false))
			return true;
	}
	for (unsigned k = 0; k < w->n; k++)
		for (unsigned p = 0; p < LANES; p++)
			if (w->part[k].at >> p & 1 && (!number_is_constant(b->t, w->part[k].n[p]) || b->t->at[w->part[k].n[p]].wild ||
			                               number_of_application(b->t, w->part[k].n[p])))
				return false;
	struct bundle empty = {.at = 0};
	return request_shown(b->t, w, &empty, true);
}

bool port_is_free(const struct instr *i)
{
	return !(ops[i->op].flags & OPF_TEX) && ops[i->op].shape != SHAPE_MATRIX && i->op != OP_SINCOS;
}

bool making_possible(struct brute *b, struct making *m, const struct bundle *base)
{
	struct request q = {.n = 0, .freedom = {FREE, FREE, FREE}};
	if (m->how == FROM_CONST)
		q.part[q.n++] = m->made;
	if (m->factor.at)
		q.part[q.n++] = m->factor;
	if (m->how == FROM_INPUT && m->offset.at)
		q.part[q.n++] = m->offset;
	if (q.n && !const_has(b, &q))
		return false;
	if (m->how == FROM_CONST)
		return true;
	if (!deliverable(b, base) || (m->how == FROM_LINE && !deliverable(b, &m->offset)))
		return false;
	b->request[m->request].part[0] = *base;
	b->request[m->request].part[1] = m->offset;
	return packs(b, b->options->texcoords);
}

bool lane_possible(struct brute *b, struct making *m, const struct bundle *base)
{
	struct request const before = b->request[m->request];
	struct bundle step = m->offset;
	step.at = base->at;
	bool good = deliverable(b, base) && (m->how != FROM_LINE || deliverable(b, &step));
	b->request[m->request].part[0] = *base;
	b->request[m->request].part[1] = step;
	good = good && packs(b, b->options->texcoords);
	b->request[m->request] = before;
	return good;
}

bool lanes_possible(struct brute *b, const struct making *m)
{
	for (unsigned l = 0; l < LANES; l++) {
		bool possible = !(m->made.at >> l & 1);
		const struct relations *all = possible ? NULL : m->how == FROM_LINE ? lines_of(b, m->made.n[l]) : relations_of(b, m->made.n[l]);
		for (unsigned c = 0; !possible && c < all->n; c++) {
			struct bundle const base = {.at = 1, .n = {all->at[c].base}}, step = {.at = 1, .n = {all->at[c].offset}};
			possible = deliverable(b, &base) && (m->how != FROM_LINE || deliverable(b, &step));
		}
		if (!possible)
			return false;
	}
	return true;
}

static bool single_const(const struct brute *b, number n)
{
	struct request q = {.n = 1, .freedom = {FREE_SCALAR}};
	q.part[0].at = 1;
	q.part[0].n[0] = n;
	return const_has(b, &q);
}

const struct relations *relations_of(struct brute *b, number n)
{
	struct relations *r = &b->relations[n];
	if (r->known)
		return r;
	r->known = true;
	r->at = arena_alloc(b->arena, (b->bases + 1) * sizeof *r->at);
	for (unsigned c = 0; c <= b->bases; c++) {
		struct relation *one = &r->at[r->n];
		one->base = c == b->bases ? n : b->base[c];
		if ((c == b->bases || one->base != n) && number_relate(b->t, n, one->base, &one->factor, &one->offset) &&
		    single_const(b, one->factor) && single_const(b, one->offset))
			r->n++;
	}
	return r;
}

/* Returns the ways to write n as base + factor * offset: at most one for each factor. */
const struct relations *lines_of(struct brute *b, number n)
{
	struct relations *r = &b->lines[n];
	if (r->known)
		return r;
	r->known = true;
	r->at = arena_alloc(b->arena, (b->factors + 1) * sizeof *r->at);
	for (unsigned k = 0; k < b->factors && !b->t->at[n].wild; k++) {
		struct relation *one = &r->at[r->n];
		one->factor = b->factor[k];
		r->n += number_split(b->t, n, one->factor, &one->base, &one->offset);
	}
	return r;
}

/* Adds an application constant to the factors, if no interpolator delivers it. */
static void add_factor(struct brute *b, number n)
{
	bool there = !b->options->drop_in || !number_of_application(b->t, n);
	for (unsigned k = 0; k < b->factors && !there; k++)
		there = b->factor[k] == n;
	if (!there)
		b->factor[b->factors++] = n;
}

static void find_factors(struct brute *b)
{
	for (unsigned c = 0; c < 32; c++)
		for (unsigned l = 0; l < LANES && b->old_const[c].at; l++)
			add_factor(b, b->old_const[c].n[l]);
}

/* Adds a number and its negation to the bases. */
static void add_base(struct brute *b, number n)
{
	bool there = n == PIXEL || b->t->at[n].wild || number_is_constant(b->t, n);
	for (unsigned k = 0; k < b->bases && !there; k++)
		there = b->base[k] == n;
	if (there)
		return;
	b->base[b->bases++] = n;
	if (number_minus(b->t, n) != n)
		b->base[b->bases++] = number_minus(b->t, n);
}

void find_supplies(struct brute *b)
{
	const struct program *ps = b->f->ps;
	for (uint32_t k = 0; k < ps->decls.n; k++) {
		const struct decl *d = &ps->decls.at[k];
		for (unsigned lane = 0; lane < LANES; lane++) {
			if (d->kind == DECL_DEF) {
				b->old_const[d->reg.index].at = MASK_XYZW;
				b->old_const[d->reg.index].n[lane] = number_constant(b->t, ps, d->reg.index, lane);
			} else if (d->kind == DECL_PIXEL_INPUT && d->reg.file == REG_TEXCOORD) {
				add_base(b, b->f->input[d->reg.index][lane]);
			}
		}
	}
	for (unsigned k = 0; k < b->f->n; k++) {
		const struct instr *i = &ps->instrs.at[k];
		for (unsigned s = 0; s < ops[i->op].sources; s++) {
			for (unsigned row = 0; i->src[s].file == REG_CONST && row < instr_rows(i, s); row++) {
				int reg = i->src[s].index + (int)row;
				b->old_const[reg].at = MASK_XYZW;
				for (unsigned lane = 0; lane < LANES; lane++)
					b->old_const[reg].n[lane] = number_constant(b->t, ps, reg, lane);
			}
		}
	}
	find_factors(b);
}
