/* What constant registers and new instructions can bring. */
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
	if (!deliverable(b, base) || (m->how == FROM_PAIR && !deliverable(b, &m->offset)))
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
	bool good = deliverable(b, base) && (m->how != FROM_PAIR || deliverable(b, &step));
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
		const struct relations *all = possible ? NULL : m->how == FROM_PAIR ? pairs_of(b, m->made.n[l]) : relations_of(b, m->made.n[l]);
		for (unsigned c = 0; !possible && c < all->n; c++) {
			struct bundle const base = {.at = 1, .n = {all->at[c].base}}, step = {.at = 1, .n = {all->at[c].offset}};
			possible = deliverable(b, &base) && (m->how != FROM_PAIR || deliverable(b, &step));
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

/* The first product that is the number at one point, if there is one. */
static unsigned first_product(const struct brute *b, number n)
{
	unsigned from = 0, to = b->products;
	while (from < to) {
		unsigned const middle = (from + to) / 2;
		if (b->product[middle].e < b->t->at[n].e[0][0])
			from = middle + 1;
		else
			to = middle;
	}
	return from;
}

static void add_pair(struct brute *b, struct relations *r, struct relation one)
{
	for (unsigned c = 0; c < r->n; c++)
		if (r->at[c].base == one.base && r->at[c].factor == one.factor && r->at[c].offset == one.offset)
			return;
	if (r->n == MOST_RELATIONS)
		b->best->steps = b->options->effort + 1; /* there is no room for all */
	else
		r->at[r->n++] = one;
}

/* Beside this base or, if more are wanted, this step, what is missing; and steps that others may ask for. */
static void add_pairs(struct brute *b, struct relations *r, number n, number base)
{
	number const gap = number_sum(b->t, n, number_minus(b->t, base));
	if (gap == PIXEL || b->t->full || b->t->at[gap].wild)
		return;
	if (b->options->more || !number_is_constant(b->t, gap))
		add_pair(b, r, (struct relation){base, b->one, gap});
	for (unsigned steps = 2; b->options->more && steps <= MOST_STEPS && gap != b->zero; steps++) {
		number const factor = number_literal(b->t, (float)steps);
		number const step = number_product(b->t, gap, number_function(b->t, OP_RCP, factor, PIXEL, PIXEL));
		if (step != PIXEL)
			add_pair(b, r, (struct relation){base, factor, step});
	}
	for (unsigned steps = 1; b->options->more && steps <= MOST_STEPS; steps++) { /* and the other way round */
		number const factor = number_literal(b->t, (float)steps);
		number const rest = number_sum(b->t, n, number_minus(b->t, number_product(b->t, factor, base)));
		if (rest != PIXEL)
			add_pair(b, r, (struct relation){rest, factor, base});
	}
	for (unsigned k = first_product(b, gap); k < b->products && b->product[k].e == b->t->at[gap].e[0][0]; k++) {
		number const factor = b->factor[b->product[k].factor], step = b->summand[b->product[k].summand];
		if (number_is_product(b->t, gap, factor, step))
			add_pair(b, r, (struct relation){base, factor, step});
	}
}

const struct relations *pairs_of(struct brute *b, number n)
{
	struct relations *r = &b->pairs[n];
	struct relation found[MOST_RELATIONS];
	if (r->known)
		return r;
	*r = (struct relations){.known = true, .at = found};
	for (unsigned c = 0; c < b->summands; c++)
		add_pairs(b, r, n, b->summand[c]);
	/* What no interpolator brings has one way at most with each factor, which nobody else need ask for; and what
	 * stands beside that a step of zero. */
	for (unsigned k = 0; k < b->factors && b->options->drop_in && !b->t->at[n].wild; k++) {
		struct relation one = {.factor = b->factor[k]};
		if (number_of_application(b->t, one.factor) && number_split(b->t, n, one.factor, &one.base, &one.offset))
			add_pair(b, r, one);
	}
	r->at = arena_alloc(b->arena, (r->n + 1) * sizeof *found);
	memcpy(r->at, found, r->n * sizeof *found);
	return r;
}

/* Of a step, but 1: what the FP has in constants, and small ones. */
static void add_factor(struct brute *b, number n)
{
	bool there = b->factors == MOST_FACTORS || n == b->zero || n == b->one;
	for (unsigned k = 0; k < b->factors && !there; k++)
		there = b->factor[k] == n;
	if (!there)
		b->factor[b->factors++] = n;
}

static void find_factors(struct brute *b)
{
	static const float some[] = {-1, 2, 3, 4, -2, -3, -4};
	for (unsigned k = 0; k < sizeof some / sizeof *some; k++)
		add_factor(b, number_literal(b->t, some[k]));
	for (unsigned k = 1; k < sizeof some / sizeof *some; k++)
		add_factor(b, number_function(b->t, OP_RCP, number_literal(b->t, some[k]), PIXEL, PIXEL));
	for (unsigned c = 0; c < 32; c++) {
		for (unsigned l = 0; l < LANES && b->old_const[c].at; l++) {
			add_factor(b, b->old_const[c].n[l]);
			add_factor(b, number_minus(b->t, b->old_const[c].n[l]));
		}
	}
}

/* And its opposite. */
static void add_base(struct brute *b, number *list, unsigned *count, number n)
{
	bool there = n == PIXEL || b->t->at[n].wild;
	for (unsigned k = 0; k < *count && !there; k++)
		there = list[k] == n;
	if (there)
		return;
	if (*count + 2 >= MOST_BASES) {
		b->best->steps = b->options->effort + 1; /* there is no room for all */
		return;
	}
	list[(*count)++] = n;
	if (number_minus(b->t, n) != n)
		list[(*count)++] = number_minus(b->t, n);
}

static int compare_products(const void *a, const void *b)
{
	const struct product *x = a, *y = b;
	return x->e < y->e ? -1 : x->e > y->e;
}

static void find_products(struct brute *b)
{
	b->product = arena_alloc(b->arena, ((size_t)b->factors * b->summands + 1) * sizeof *b->product);
	for (unsigned f = 0; f < b->factors; f++)
		for (unsigned s = 0; s < b->summands; s++)
			b->product[b->products++] = (struct product){number_at_one_point(b->t, b->factor[f], b->summand[s]), (uint8_t)f, (uint8_t)s};
	qsort(b->product, b->products, sizeof *b->product, compare_products);
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
				number n = b->f->input[d->reg.index][lane];
				if (!number_is_constant(b->t, n))
					add_base(b, b->base, &b->bases, n);
				add_base(b, b->summand, &b->summands, n);
			}
		}
	}
	for (unsigned k = 0; k < b->f->n; k++) {
		const struct instr *i = &ps->instrs.at[k];
		for (unsigned s = 0; s < ops[i->op].sources; s++) {
			for (unsigned p = 0; p < LANES; p++)
				if (b->f->use[k][s][p] != PIXEL && (b->options->more || !number_is_constant(b->t, b->f->use[k][s][p])))
					add_base(b, b->summand, &b->summands, b->f->use[k][s][p]);
			for (unsigned row = 0; i->src[s].file == REG_CONST && row < instr_rows(i, s); row++) {
				int reg = i->src[s].index + (int)row;
				b->old_const[reg].at = MASK_XYZW;
				for (unsigned lane = 0; lane < LANES; lane++)
					b->old_const[reg].n[lane] = number_constant(b->t, ps, reg, lane);
			}
		}
	}
	find_factors(b);
	find_products(b);
}
