/* Takes sums and products of the FP apart, see forms.h.
 *
 * A pixel instruction that adds or multiplies lane by lane computes
 *     rest + sum of coefficient * pixel value [* pixel value]
 * where the rest and the coefficients may move.  Its operands are taken apart in the same way, as long as they are sums and products,
 * too. */
#include "move/rules/forms.h"

#include "lang/rounding.h"
#include "move/graph/free_constants.h"

#include <string.h>

/* ---- expressions ---------------------------------------------------------------- */

static bool all_equal(const struct regroup *r, const struct expr *e, value_id value)
{
	EACH_LANE(p, r->mask)
		if (e->value[p] != value)
			return false;
	return true;
}

static bool has_zero(const struct regroup *r, const struct expr *e)
{
	EACH_LANE(p, r->mask)
		if (e->value[p] == r->values->zero)
			return true;
	return false;
}

/* Returns true if the value is a factor so large or small that products with it may leave the range of a float in another order. */
static bool is_extreme(const struct values *v, value_id id)
{
	const struct value *x = value_at(v, id);
	long double const size = fabsl(x->number);
	return x->known && size > 0 && (size > (long double)FAR_FACTOR || size < 1 / (long double)FAR_FACTOR);
}

/* Returns an empty expression.  Its memory is used again when the next way of regrouping a root begins. */
static struct expr *new_expr(struct regroup *r)
{
	struct rewriting *w = r->w;
	if (w->exprs_used == w->exprs.n)
		VEC_PUSH(w->arena, &w->exprs) = arena_alloc(w->arena, sizeof(struct expr));
	struct expr *e = w->exprs.at[w->exprs_used++];
	memset(e, 0, sizeof *e);
	return e;
}

const struct expr *form_combine(struct regroup *r, enum expr_kind kind, const struct expr *a, const struct expr *b)
{
	struct expr *e = new_expr(r);
	*e = (struct expr){.kind = (uint8_t)kind, .a = a, .b = b};
	EACH_LANE(p, r->mask) {
		e->value[p] = kind == EXPR_SUM ? value_sum(r->values, a->value[p], b->value[p])
		                               : value_product(r->values, a->value[p], b->value[p]);
		if (e->value[p] == NO_VALUE || value_at(r->values, e->value[p])->wild ||
		    (kind == EXPR_PRODUCT && (is_extreme(r->values, a->value[p]) || is_extreme(r->values, b->value[p]))))
			return NULL;
	}
	return e;
}

static const struct expr *negated_expr(struct regroup *r, const struct expr *e)
{
	struct expr *n = new_expr(r);
	*n = *e;
	EACH_LANE(p, r->mask)
		n->value[p] = value_negated(r->values, e->value[p]);
	switch ((enum expr_kind)e->kind) {
	case EXPR_SOURCE: n->src.negate = !n->src.negate; break;
	case EXPR_SUM: n->b = negated_expr(r, e->b); n->a = negated_expr(r, e->a); break;
	case EXPR_PRODUCT: n->a = negated_expr(r, e->a); break;
	}
	return n;
}

/* Returns an operand that reads the number 1 from a def, which it adds if there is none; NULL if no constant register is free for it. */
static const struct expr *number_one(struct regroup *r)
{
	int reg = -1;
	unsigned lane = 0;
	for (uint32_t k = 0; k < r->ps->decls.n; k++) {
		const struct decl *d = &r->ps->decls.at[k];
		for (unsigned l = 0; d->kind == DECL_DEF && l < LANES; l++) {
			if (d->value[l] >= 1 && d->value[l] <= 1 && program_decl(r->ps, REG_CONST, d->reg.index) == d) {
				reg = d->reg.index;
				lane = l;
			}
		}
	}
	if (reg < 0) {
		struct register_set taken = constants_taken(r->ps, false);
		for (unsigned k = 0; k < r->w->group->nps; k++) /* constants that the given FPs read belong to the application, even if unread here */
			taken = constants_of_both(taken, constants_taken(r->w->group->ps[k], false));
		reg = constants_last_free(&taken, (struct range){0, models[model_written(r->ps->model)].consts - 1});
		struct decl d = {.kind = DECL_DEF, .at = SRCPOS_NONE, .value = {1, 1, 1, 1}};
		d.reg = dst_lanes(REG_CONST, reg, MASK_XYZW);
		if (reg >= 0)
			VEC_PUSH(r->arena, &r->ps->decls) = d;
	}
	if (reg < 0)
		return NULL;
	struct expr *e = new_expr(r);
	e->src = (struct src){.file = REG_CONST, .index = (int16_t)reg, .swizzle = swizzle_replicate(lane), .at = SRCPOS_NONE};
	for (unsigned p = 0; p < LANES; p++) {
		e->value[p] = r->values->one;
		e->def[p] = NO_INSTR;
	}
	return e;
}

/* ---- operands --------------------------------------------------------------------- */

struct expr *form_leaf(struct regroup *r, uint32_t i, unsigned s, const unsigned at[LANES])
{
	struct expr *e = new_expr(r);
	const struct use *u = &r->values->use[i][s];
	for (unsigned p = 0; p < LANES; p++) {
		e->def[p] = NO_INSTR;
		if (!(r->mask >> p & 1))
			continue;
		e->value[p] = u->value[at[p]];
		if (u->def[at[p]] >= 0)
			e->def[p] = (uint32_t)u->def[at[p]];
	}
	return rules_source(r->w, i, s, at, r->mask, &e->src) ? e : NULL;
}

bool form_movable(const struct regroup *r, const struct expr *e)
{
	EACH_LANE(p, r->mask)
		if (value_is_pixel(r->values, e->value[p]) || value_at(r->values, e->value[p])->wild)
			return false;
	return true;
}

static void form_negate(struct regroup *r, struct form *f)
{
	if (f->rest)
		f->rest = negated_expr(r, f->rest);
	for (unsigned t = 0; t < f->n; t++)
		f->term[t].negate = !f->term[t].negate;
}

/* Returns true if instruction j can be taken apart: a copy, sum, product or lrp without _sat, within the limits of depth and work, that nothing else
 * reads (unless r->shared). */
static bool can_take_apart(const struct regroup *r, uint32_t j, unsigned depth)
{
	const struct instr *i = &r->ps->instrs.at[j];
	struct product_sum as;
	bool const sums = as_product_sum((enum op)i->op, &as) || i->op == OP_LRP;
	return sums && !(i->flags & INSTR_SAT) && depth < MOST_DEPTH && r->work && (r->shared || r->readers[j] == 1);
}

/* Returns true if the operand reads a constant that float arithmetic rounds, or whose sums it rounds.  Such sums must stay as they are. */
static bool has_rounding(const struct regroup *r, uint32_t i, unsigned s, const unsigned at[LANES])
{
	bool has = false;
	for (unsigned p = 0; p < LANES; p++) {
		value_id const id = r->mask >> p & 1 ? r->values->use[i][s].value[at[p]] : NO_VALUE;
		has |= id != NO_VALUE && value_at(r->values, id)->class == VALUE_CONST && value_at(r->values, id)->rounds;
	}
	return has;
}

bool form_of_operand(struct regroup *r, uint32_t i, unsigned s, const unsigned at[LANES], unsigned depth,
                            struct form *f)
{
	const struct src *src = &r->ps->instrs.at[i].src[s];
	struct expr *e = form_leaf(r, i, s, at);
	memset(f, 0, sizeof *f);
	if (has_rounding(r, i, s, at))
		return false;
	if (e && form_movable(r, e)) {
		f->rest = all_equal(r, e, r->values->zero) ? NULL : e;
		return true;
	}
	uint32_t def = NO_INSTR;
	unsigned through[LANES] = {0};
	bool same = true;
	EACH_LANE(p, r->mask) {
		int32_t d = r->values->use[i][s].def[at[p]];
		same &= d >= 0 && (def == NO_INSTR || def == (uint32_t)d);
		def = d >= 0 ? (uint32_t)d : def;
		through[p] = swizzle_lane(src->swizzle, at[p]);
	}
	if (same && def != NO_INSTR && can_take_apart(r, def, depth) && form_of_instr(r, def, through, depth + 1, f)) {
		r->inside[def]++;
		VEC_PUSH(r->arena, &r->trail) = def;
		if (src->negate)
			form_negate(r, f);
		return true;
	}
	if (!e)
		return false;
	f->rest = NULL;
	f->n = 1;
	f->term[0] = (struct addend){.negate = e->src.negate, .n = 1, .pixel = {e}, .origin = i};
	e->src.negate = false;
	return true;
}

/* ---- arithmetic on forms ------------------------------------------------------------ */

static bool same_factor(const struct regroup *r, const struct expr *a, const struct expr *b)
{
	if (a->src.file != b->src.file || a->src.index != b->src.index)
		return false;
	EACH_LANE(p, r->mask)
		if (swizzle_lane(a->src.swizzle, p) != swizzle_lane(b->src.swizzle, p) || a->def[p] != b->def[p])
			return false;
	return true;
}

static bool same_product(const struct regroup *r, const struct addend *a, const struct addend *b)
{
	if (a->n != b->n)
		return false;
	if (a->n == 1)
		return same_factor(r, a->pixel[0], b->pixel[0]);
	return (same_factor(r, a->pixel[0], b->pixel[0]) && same_factor(r, a->pixel[1], b->pixel[1])) ||
	       (same_factor(r, a->pixel[0], b->pixel[1]) && same_factor(r, a->pixel[1], b->pixel[0]));
}

/* Returns true if the form adds a number that is at least FAR_APART times the coefficient of one of its terms. */
static bool is_far(const struct regroup *r, const struct form *f)
{
	for (unsigned p = 0; p < LANES && f->rest && f->n; p++) {
		const struct value *rest = value_at(r->values, r->mask >> p & 1 ? f->rest->value[p] : r->values->zero);
		double least = (double)INFINITY;
		for (unsigned t = 0; t < f->n; t++) {
			const struct value *coef = value_at(r->values, f->term[t].coef ? f->term[t].coef->value[p] : r->values->one);
			least = fmin(least, coef->known ? fabs((double)coef->number) : 1);
		}
		if (rest->known && fabsl(rest->number) >= (long double)(FAR_APART * least))
			return true;
	}
	return false;
}

/* Adds form g to form f.  Returns false if a sum cannot move, terms cancel or are too many, or float arithmetic rounds sums (values.careful) and
 * a form adds numbers far apart. */
static bool form_add(struct regroup *r, struct form *f, const struct form *g)
{
	if (r->values->careful && (is_far(r, f) || is_far(r, g)))
		return false;
	if (g->rest) {
		f->rest = f->rest ? form_combine(r, EXPR_SUM, f->rest, g->rest) : g->rest;
		if (!f->rest)
			return false;
		if (all_equal(r, f->rest, r->values->zero))
			f->rest = NULL;
	}
	for (unsigned t = 0; t < g->n; t++) {
		struct addend add = g->term[t];
		for (unsigned o = 0; o < f->n; o++) {
			struct addend *known = &f->term[o];
			if (!same_product(r, known, &add) || (!known->coef && !add.coef && known->negate == add.negate))
				continue;
			const struct expr *x = known->coef ? known->coef : number_one(r), *y = add.coef ? add.coef : number_one(r);
			if (!x || !y)
				return false;
			const struct expr *sum =
				form_combine(r, EXPR_SUM, x, known->negate == add.negate ? y : negated_expr(r, y));
			/* Fails if terms cancel: a texture may hold infinities, whose difference is not 0. */
			if (!sum || has_zero(r, sum))
				return false;
			known->coef = all_equal(r, sum, r->values->one) ? NULL : sum;
			add.n = 0;
			break;
		}
		if (!add.n)
			continue;
		if (f->n == MOST_TERMS)
			return false;
		f->term[f->n++] = add;
	}
	return true;
}

/* Multiplies form f by the expression e, which may move.  Returns false if that fails. */
static bool form_scale(struct regroup *r, struct form *f, const struct expr *e)
{
	if (all_equal(r, e, r->values->one))
		return true;
	if (f->rest && !(f->rest = form_combine(r, EXPR_PRODUCT, f->rest, e)))
		return false;
	for (unsigned t = 0; t < f->n; t++) {
		f->term[t].coef = f->term[t].coef ? form_combine(r, EXPR_PRODUCT, f->term[t].coef, e) : e;
		if (!f->term[t].coef)
			return false;
	}
	return true;
}

/* Sets *f to the product of forms a and b, which instruction i computes.  Returns false unless one of them may move as a whole, or both are
 * single terms that have at most two pixel values together. */
static bool multiply_forms(struct regroup *r, const struct form *a, const struct form *b, uint32_t i, struct form *f)
{
	*f = *a;
	if (!b->n)
		return b->rest && form_scale(r, f, b->rest);
	if (!a->n) {
		*f = *b;
		return a->rest && form_scale(r, f, a->rest);
	}
	if (a->n != 1 || b->n != 1 || a->rest || b->rest || a->term[0].n + b->term[0].n > 2)
		return false;
	struct addend *t = &f->term[0];
	t->pixel[1] = b->term[0].pixel[0];
	t->n = 2;
	t->origin = i;
	t->negate ^= b->term[0].negate;
	if (b->term[0].coef)
		t->coef = t->coef ? form_combine(r, EXPR_PRODUCT, t->coef, b->term[0].coef) : b->term[0].coef;
	return t->coef || (!a->term[0].coef && !b->term[0].coef);
}

void form_close(struct regroup *r, uint32_t length)
{
	while (r->trail.n > length)
		r->inside[r->trail.at[--r->trail.n]]--;
}

/* The two forms of an operand: [0] with the instruction that computes it taken apart, [1] as a whole, if that is a different form.  They are
 * found once, and tried in several products. */
struct operand_forms {
	bool read[2]; /* form[0], or form[1], was found */
	struct form form[2];
	uint32_t n, opened[MOST_WORK]; /* instructions that are taken apart for form[0], once for each operand that reads them */
	uint8_t flags; /* regroup.flags with the instructions for form[0] taken apart */
};

static void find_operand_forms(struct regroup *r, uint32_t i, unsigned s, const unsigned at[LANES], unsigned depth, struct operand_forms *o)
{
	uint32_t const before = r->trail.n;
	uint8_t const flags = r->flags;
	o->read[0] = form_of_operand(r, i, s, at, depth, &o->form[0]);
	o->n = r->trail.n - before;
	if (o->n)
		memcpy(o->opened, r->trail.at + before, o->n * sizeof *o->opened);
	o->flags = r->flags;
	form_close(r, before);
	r->flags = flags;
	o->read[1] = o->n && form_of_operand(r, i, s, at, MOST_DEPTH, &o->form[1]);
}

/* Returns the operand's form, as a whole or else taken apart, or NULL if it has none of that kind.  Puts the instructions that are taken apart for
 * it on the trail. */
static const struct form *use_operand(struct regroup *r, const struct operand_forms *o, bool whole)
{
	for (uint32_t k = 0; !whole && o->read[0] && k < o->n; k++) {
		r->inside[o->opened[k]]++;
		VEC_PUSH(r->arena, &r->trail) = o->opened[k];
	}
	r->flags &= whole ? r->flags : o->flags;
	return o->read[whole] ? &o->form[whole] : NULL;
}

/* Sets *f to the form of an lrp from those of its operands: a b + (1 - a) c if a may move, a (b - c) + c if b and c may.  Returns false if that
 * fails. */
static bool lrp_of_forms(struct regroup *r, const struct form *a, const struct form *b, const struct form *c, struct form *f)
{
	struct form rest = *c;
	*f = *b;
	if (!a->n && a->rest) {
		const struct expr *whole = number_one(r), *left;
		return whole && (left = form_combine(r, EXPR_SUM, whole, negated_expr(r, a->rest))) && form_scale(r, f, a->rest) &&
		       form_scale(r, &rest, left) && form_add(r, f, &rest);
	}
	if (b->n || c->n)
		return false;
	form_negate(r, &rest);
	if (!form_add(r, f, &rest) || !f->rest)
		return false;
	const struct expr *gap = f->rest;
	*f = *a;
	return form_scale(r, f, gap) && form_add(r, f, c);
}

/* Finds the form of an lrp (n = 3), or of a product (n = 2), of the operands s[] of instruction i.  Tries each operand taken apart first, then as
 * a whole. */
static bool form_of_operands(struct regroup *r, uint32_t i, const uint8_t *s, unsigned n, const unsigned at[LANES], unsigned depth,
                             struct form *f)
{
	enum { MOST = 3 };
	struct operand_forms o[MOST];
	uint32_t const before = r->trail.n;
	uint8_t const flags = r->flags;
	for (unsigned k = 0; k < n; k++)
		find_operand_forms(r, i, s[k], at, depth, &o[k]);
	for (unsigned whole = 0; whole < 1u << n; whole++) {
		const struct form *x[MOST];
		bool all = true;
		for (unsigned k = 0; k < n; k++) {
			x[k] = use_operand(r, &o[k], whole >> k & 1);
			all &= x[k] != NULL;
		}
		if (all && (n == MOST ? lrp_of_forms(r, x[0], x[1], x[2], f) : multiply_forms(r, x[0], x[1], i, f)))
			return true;
		form_close(r, before);
		r->flags = flags;
	}
	return false;
}

bool form_of_instr(struct regroup *r, uint32_t i, const unsigned at[LANES], unsigned depth, struct form *f)
{
	const struct instr *instr = &r->ps->instrs.at[i];
	struct product_sum as;
	struct form g;
	uint32_t const before = r->trail.n;
	uint8_t flags = r->flags;
	bool done = false;
	r->work -= r->work > 0;
	r->flags &= instr->flags;
	if (as_product_sum((enum op)instr->op, &as)) {
		done = as.f == NO_TERM ? form_of_operand(r, i, as.p, at, depth, f) : form_of_operands(r, i, (uint8_t const[]){as.p, as.f}, 2, at, depth, f);
		if (as.q != NO_TERM) {
			done = done && form_of_operand(r, i, as.q, at, depth, &g);
			if (done && as.minus)
				form_negate(r, &g);
			done = done && form_add(r, f, &g);
		}
	} else if (instr->op == OP_LRP) {
		done = form_of_operands(r, i, (uint8_t const[]){0, 1, 2}, 3, at, depth, f);
	}
	if (!done) {
		form_close(r, before);
		r->flags = flags;
	}
	return done;
}
