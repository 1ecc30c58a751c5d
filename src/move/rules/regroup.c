/* Regroups sums and products, so that values that can move stand together: at -O3, and lrp and powers of two at -O2.
 *
 * Three passes put sums in another order at -O3:
 *     rule_regroup     writes an alternative of each instruction that would take fewer slots, or as many slots while other instructions
 *                      lose a reader; dots.c writes dot products as alternatives of sums of squares.  cut/choose.c tries each of them
 *                      and the given instruction, and the best plan has one of them;
 *     "regroup all"    writes the whole FP in this way, repeatedly (rules.c, variant_regroup_all).  optimise.c plans that FP, too, and
 *                      takes the one with the best result;
 *     tidying          regroups if that saves an instruction of the finished program (tidy_limits.regroup in passes.h; the
 *                      pass "dot products" of tidy.c).
 * `fpmove -O3 --dump=alternatives,plan,passes` prints what each of them wrote, and what was chosen.
 *
 * A form (forms.h) that is written out takes one pixel instruction for each term; the instructions that compute its rest and its
 * coefficients can leave.  It becomes an alternative if that saves pixel instructions or readers; the search chooses
 * (cut/choose.c).  requires: checked programs. */
#include "move/rules/forms.h"

#include "lang/rounding.h"

#include <math.h>
#include <string.h>

/* ---- writing it out again --------------------------------------------------------------- */

/* Appends an instruction, and returns the new temporary that it writes as an operand.  An instruction can read only one c#, one t# and one v#: if
 * it needs another, a mov copies that to a temporary before. */
static struct src put_within_ports(struct regroup *r, enum op op, const struct src *s, bool pixel, uint32_t origin)
{
	struct instr i = {.op = (uint8_t)op, .at = origin};
	for (unsigned k = 0; k < ops[op].sources; k++) {
		i.src[k] = s[k];
		bool clash = false;
		for (unsigned o = 0; o < k; o++)
			clash |= s[k].file != REG_TEMP && i.src[o].file == s[k].file && i.src[o].index != s[k].index;
		if (!clash)
			continue;
		struct src plain = s[k];
		plain.negate = false;
		i.src[k] = put_within_ports(r, OP_MOV, &plain, s[k].file == REG_INPUT, SRCPOS_NONE);
		i.src[k].negate = s[k].negate;
	}
	i.flags = pixel ? r->flags : 0;
	r->cost += pixel;
	return rules_put(r->w, i, r->mask);
}

static struct src write_movable(struct regroup *r, const struct expr *e)
{
	struct src s[MAX_SOURCES];
	switch ((enum expr_kind)e->kind) {
	case EXPR_SOURCE: break;
	case EXPR_PRODUCT:
		s[0] = write_movable(r, e->a);
		s[1] = write_movable(r, e->b);
		return put_within_ports(r, OP_MUL, s, false, SRCPOS_NONE);
	case EXPR_SUM:
		if (e->a->kind == EXPR_PRODUCT || e->b->kind == EXPR_PRODUCT) {
			const struct expr *product = e->a->kind == EXPR_PRODUCT ? e->a : e->b;
			s[0] = write_movable(r, product->a);
			s[1] = write_movable(r, product->b);
			s[2] = write_movable(r, product == e->a ? e->b : e->a);
			return put_within_ports(r, OP_MAD, s, false, SRCPOS_NONE);
		}
		s[0] = write_movable(r, e->a);
		s[1] = write_movable(r, e->b);
		return put_within_ports(r, OP_ADD, s, false, SRCPOS_NONE);
	}
	return e->src;
}

static struct src signed_source(const struct expr *e, bool negate)
{
	struct src s = e->src;
	s.negate ^= negate;
	return s;
}

/* Writes *sum + term, or the term alone if `sum` is NULL, and returns the result as an operand. */
static struct src write_sum_with_term(struct regroup *r, const struct addend *t, const struct src *sum)
{
	struct src s[MAX_SOURCES] = {signed_source(t->pixel[0], t->negate)};
	if (t->n == 2) {
		s[1] = t->pixel[1]->src;
		if (!t->coef && sum)
			s[2] = *sum;
		s[0] = put_within_ports(r, !t->coef && sum ? OP_MAD : OP_MUL, s, true, t->origin);
		if (!t->coef)
			return s[0];
	}
	if (t->coef)
		s[1] = write_movable(r, t->coef);
	else if (sum)
		s[1] = *sum;
	else
		return s[0];
	if (t->coef && sum)
		s[2] = *sum;
	return put_within_ports(r, !t->coef ? OP_ADD : sum ? OP_MAD : OP_MUL, s, true, t->origin);
}

static void write_out_form(struct regroup *r, const struct form *f)
{
	struct src sum = {.file = REG_TEMP};
	bool started = f->rest != NULL;
	if (started)
		sum = write_movable(r, f->rest);
	/* Terms without a coefficient come first, because `rest` may need the read port for constants. */
	for (unsigned pass = 0; pass < 3; pass++) {
		for (unsigned t = 0; t < f->n; t++) {
			const struct addend *term = &f->term[t];
			unsigned when = term->coef ? 2 : term->n == 2 ? 1 : 0;
			if (when != pass)
				continue;
			sum = write_sum_with_term(r, term, started ? &sum : NULL);
			started = true;
		}
	}
	const struct instr *last = r->w->next_temp > r->w->first_temp ? &r->w->out.at[r->w->out.n - 1] : NULL;
	if (!last || sum.negate || sum.file != REG_TEMP || last->dst.index != sum.index)
		put_within_ports(r, OP_MOV, &sum, true, r->root);
}

/* ---- choosing ------------------------------------------------------------------------------ */

/* Returns entry n of the trail, an instruction that was taken apart, or NO_INSTR if an earlier entry is the same. */
static uint32_t opened_first_at(const struct regroup *r, uint32_t n)
{
	for (uint32_t k = 0; k < n; k++)
		if (r->trail.at[k] == r->trail.at[n])
			return NO_INSTR;
	return r->trail.at[n];
}

/* Returns the slots that go when the root is rewritten: its own, and those of instructions that nothing reads any more.  Sets *fewer_readers if
 * other instructions that were taken apart lose a reader. */
static unsigned slots_saved(const struct regroup *r, bool *fewer_readers)
{
	unsigned n = instr_slots(&r->ps->instrs.at[r->root], r->ps->model);
	*fewer_readers = false;
	for (uint32_t k = 0; k < r->trail.n; k++) {
		uint32_t j = opened_first_at(r, k);
		if (j != NO_INSTR && r->inside[j] >= r->readers[j])
			n += instr_slots(&r->ps->instrs.at[j], r->ps->model);
		else
			*fewer_readers |= j != NO_INSTR;
	}
	return n;
}

/* Writes a dot product of which one vector is scaled or negated: scales the other vector instead, if that can move.  Returns false if the root is
 * no such dot product, or the other vector cannot move. */
static bool write_dot(struct regroup *r)
{
	static const unsigned plain[LANES] = {0, 1, 2, 3};
	const struct instr *i = &r->ps->instrs.at[r->root];
	lanes written = r->mask;
	r->mask = i->op == OP_DP3 ? MASK_XYZ : MASK_XYZW;
	uint32_t const before = r->trail.n;
	for (unsigned s = 0; s < 2; s++) {
		struct form f, other;
		form_close(r, before);
		if (!form_of_operand(r, r->root, 1 - s, plain, MOST_DEPTH, &other) || other.n || !other.rest ||
		    !form_of_operand(r, r->root, s, plain, 0, &f) || f.n != 1 || f.rest || f.term[0].n != 1 || r->trail.n == before)
			continue;
		const struct expr *scaled = f.term[0].coef ? form_combine(r, EXPR_PRODUCT, other.rest, f.term[0].coef) : other.rest;
		if (!scaled)
			continue;
		struct src sources[MAX_SOURCES] = {signed_source(f.term[0].pixel[0], f.term[0].negate),
		                                   write_movable(r, scaled)};
		r->mask = written;
		put_within_ports(r, (enum op)i->op, sources, true, r->root);
		return true;
	}
	r->mask = written;
	return false;
}

/* Writes the root as a sum of terms, or as a dot product with a scaled vector.  Returns false if it is neither. */
static bool write_root(struct regroup *r)
{
	static const unsigned plain[LANES] = {0, 1, 2, 3};
	const struct instr *i = &r->ps->instrs.at[r->root];
	if (i->op == OP_DP3 || i->op == OP_DP4)
		return write_dot(r);
	struct form f;
	unsigned const depth = r->how != REGROUP_LRP ? 0 : i->op == OP_LRP ? MOST_DEPTH : MOST_DEPTH - 1;
	if (!form_of_instr(r, r->root, plain, depth, &f) || f.n == 0)
		return false;
	write_out_form(r, &f);
	return true;
}

/* Returns true if instruction i is a mad of a difference that adds the subtracted value again: most compilers write a lrp in this way. */
static bool is_spelled_lrp(const struct regroup *r, uint32_t i)
{
	const struct instr *mad = &r->ps->instrs.at[i];
	for (unsigned s = 0; mad->op == OP_MAD && s < 4; s++) {
		const struct use *factor = &r->values->use[i][s / 2], *added = &r->values->use[i][2];
		bool same = true;
		for (unsigned p = 0; p < LANES && same; p++) {
			if (!(mad->dst.mask >> p & 1))
				continue;
			int32_t const def = factor->def[p];
			const struct instr *sum = def >= 0 ? &r->ps->instrs.at[def] : NULL;
			unsigned const at = swizzle_lane(mad->src[s / 2].swizzle, p);
			same = sum && (sum->op == OP_ADD || sum->op == OP_SUB) && !mad->src[s / 2].negate;
			value_id taken = same ? r->values->use[def][s % 2].value[at] : NO_VALUE;
			if (same && !(sum->op == OP_SUB && s % 2 == 1))
				taken = taken == NO_VALUE ? NO_VALUE : value_find_negated(r->values, taken);
			same = same && taken != NO_VALUE && taken == added->value[p];
		}
		if (same)
			return true;
	}
	return false;
}

static bool has_power_of_two(const struct regroup *r, uint32_t i, unsigned s)
{
	const struct instr *instr = &r->ps->instrs.at[i];
	for (unsigned l = 0; l < LANES; l++) {
		const struct value *x = value_at(r->values, r->values->use[i][s].value[l]);
		int exponent;
		if (instr->dst.mask >> l & 1 && (!x->known || fabsl(frexpl(x->number, &exponent)) != 0.5L))
			return false;
	}
	return true;
}

/* Returns true if the instruction multiplies by powers of two, which rounds nothing. */
static bool is_scaling(const struct regroup *r, uint32_t i)
{
	const struct instr *instr = &r->ps->instrs.at[i];
	return instr_is_doubling(instr) || (instr->op == OP_MUL && (has_power_of_two(r, i, 0) || has_power_of_two(r, i, 1)));
}

/* Returns true for a product by powers of two, or the product of such a product and a constant or affine value. */
static bool is_scaled_product(const struct regroup *r, uint32_t i)
{
	const struct instr *instr = &r->ps->instrs.at[i];
	if (is_scaling(r, i))
		return true;
	for (unsigned s = 0; instr->op == OP_MUL && s < 2; s++) {
		bool scaled = true;
		for (unsigned l = 0; l < LANES && scaled; l++) {
			int32_t const def = r->values->use[i][s].def[l];
			if (instr->dst.mask >> l & 1)
				scaled = def >= 0 && is_scaling(r, (uint32_t)def) && !value_is_pixel(r->values, r->values->use[i][1 - s].value[l]);
		}
		if (scaled)
			return true;
	}
	return false;
}

/* Returns true if the way of regrouping (regroup.how) may rewrite the instruction. */
static bool may_write(const struct regroup *r, uint32_t i)
{
	return r->how != REGROUP_LRP || r->ps->instrs.at[i].op == OP_LRP || is_spelled_lrp(r, i) || is_scaled_product(r, i);
}

/* Replaces the root by the alternative: updates the numbers of readers, and marks instructions that nothing reads any more. */
static void replace_root(struct regroup *r)
{
	for (uint32_t k = 0; k < r->trail.n; k++) {
		uint32_t j = opened_first_at(r, k);
		if (j == NO_INSTR)
			continue;
		if (r->inside[j] >= r->readers[j])
			r->w->gone[j] = true;
		r->readers[j] -= r->inside[j] < r->readers[j] ? r->inside[j] : r->readers[j];
	}
}

/* Writes up to two alternatives of the root: one that takes apart only instructions with no other reader, and one that takes apart others, too.
 * Drops one that saves no pixel slots; with REGROUP_ANY, keeps one of the same slots if other instructions lose readers.  If `settles`, replaces the
 * root by the first and writes no second. */
static void write_regrouped(struct rewriting *w, enum regrouping how)
{
	const struct instr *root = &w->ps->instrs.at[w->root];
	struct regroup r = {.w = w, .arena = w->arena, .ps = w->ps, .values = w->values, .readers = w->readers, .root = w->root, .how = how};
	if (w->values->all.n > MOST_VALUES || !may_write(&r, w->root))
		return;
	r.inside = arena_zero(w->arena, (w->ps->instrs.n + 1) * sizeof *r.inside);
	for (unsigned shared = 0; shared < 2; shared++) {
		r.mask = root->dst.mask;
		r.shared = shared;
		r.flags = root->flags & INSTR_PP;
		r.cost = 0;
		r.work = MOST_WORK;
		w->exprs_used = 0;
		form_close(&r, 0);
		rules_begin(w);
		bool fewer_readers = false;
		bool const written = write_root(&r);
		unsigned const before = written ? slots_saved(&r, &fewer_readers) : 0;
		if (!written || !(r.cost < before || (how == REGROUP_ANY && r.cost == before && fewer_readers))) {
			rules_drop(w);
			continue;
		}
		rules_add(w);
		for (uint32_t k = 0; k < r.trail.n; k++)
			w->opened[r.trail.at[k]] = true;
		if (w->settles) {
			replace_root(&r);
			return;
		}
	}
}

/* Writes each lrp, or sum and mad that compute one, as products of its whole operands.  Also, where a product with a value that can move is
 * multiplied by a power of two, multiplies that value instead. */
void rule_lrp(struct rewriting *w)
{
	write_regrouped(w, REGROUP_LRP);
}

/* Writes sums and products in another order, equal in real arithmetic: `(t0 + r0) + c0` becomes `r0 + (t0 + c0)`, where the bracket can
 * leave.  Instructions with other readers are taken apart, too, if that takes no more slots. */
void rule_regroup(struct rewriting *w)
{
	write_regrouped(w, REGROUP_ANY);
}
