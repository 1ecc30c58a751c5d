/* Treats mov, add, sub, mul and mad as p * f + q: p is a register, f and q are registers or literals.  Two instructions with the same
 * register p, and with f and q that are the same registers or literals, become one mad: mov r.x, v1 and add r.y, -v1, c2.x become
 * mad r.xy, v1, c3.xy, c3.zx, with literals in a def.  Factors 1 and 0, and summands 0, are removed. */
#include "move/cover/tidy.h"

#include "lang/check.h"
#include "lang/rounding.h"
#include "move/graph/evaluate.h"
#include "move/graph/finite.h"

#include <math.h>
#include <string.h>

/* --- instructions as p * f + q ------------------------------------------------------ */

/* One of p, f and q: lanes of one register, or literals. */
struct mad_term {
	bool literal;
	bool any;               /* the term may be any finite value, since it is multiplied by 0 */
	struct src src;         /* the register, unless `literal` */
	unsigned from[LANES];   /* for each lane of the result, the register lane that is read */
	struct numbers numbers; /* the literals, if `literal` */
};

/* An instruction as p * f + q, where p is a register that is not negated, or any value. */
struct mad_form {
	struct mad_term p, f, q;
};

static struct mad_term literal_term(float x)
{
	return (struct mad_term){.literal = true, .numbers = {{x, x, x, x}, 0}};
}

static struct mad_term term_of(const struct tidy *t, const struct instr *i, unsigned s)
{
	const struct src *src = &i->src[s];
	const struct decl *def = tidy_def(t, src);
	struct mad_term term = {.literal = def != NULL, .src = *src};
	term.src.letters = 0;
	for (unsigned lane = 0; lane < LANES; lane++) {
		term.from[lane] = swizzle_lane(src->swizzle, lane);
		if (!def || !(i->dst.mask >> lane & 1))
			continue;
		float x = def->value[term.from[lane]];
		term.numbers.of[lane] = src->negate ? -x : x;
		term.literal &= isfinite(x) && !tidy_is_noted(t, src->index, term.from[lane]);
	}
	return term;
}

static void negate(struct mad_term *t)
{
	t->src.negate = !t->src.negate;
	for (unsigned lane = 0; lane < LANES; lane++)
		t->numbers.of[lane] = -t->numbers.of[lane];
}

static unsigned add_form(struct mad_form *out, unsigned n, struct mad_term p, struct mad_term f, struct mad_term q)
{
	if (p.literal && !p.any)
		return n;
	if (p.src.negate) {
		negate(&p);
		negate(&f);
	}
	out[n] = (struct mad_form){p, f, q};
	return n + 1;
}

/* Finds the ways to write the instruction as p * f + q, and returns how many there are, at most two. */
static unsigned forms_of(const struct tidy *t, const struct instr *i, struct mad_form out[2])
{
	static const struct mad_term any = {.any = true};
	struct product_sum as;
	if (!as_product_sum((enum op)i->op, &as))
		return 0;
	EACH_SOURCE(k, i)
		if (i->src[k].relative)
			return 0;
	struct mad_term const p = term_of(t, i, as.p), f = as.f == NO_TERM ? literal_term(1) : term_of(t, i, as.f);
	struct mad_term q = as.q == NO_TERM ? literal_term(0) : term_of(t, i, as.q);
	if (as.minus)
		negate(&q);
	unsigned const n = add_form(out, 0, p, f, q);
	if (as.f != NO_TERM)
		return add_form(out, n, f, p, q);
	return as.q != NO_TERM ? add_form(out, n, q, literal_term(1), p) : add_form(out, n, any, literal_term(0), p);
}

/* Returns true if the term is the literal x in all lanes in `mask`. */
static bool all_lanes(const struct mad_term *t, lanes mask, float x)
{
	EACH_LANE(lane, mask)
		if (!t->literal || t->numbers.of[lane] != x)
			return false;
	return true;
}

/* --- writing it --------------------------------------------------------------------- */

static bool register_source(const struct tidy *t, struct instr *i, unsigned s, const struct mad_term *term)
{
	i->src[s] = term->src;
	return tidy_swizzle(t, i, s, term->from, i->dst.mask, &i->src[s].swizzle);
}

/* Writes p * f + q with the destination of `i` and the simplest opcode: mov, add, mul or mad.  Returns false if no swizzle or no def has
 * the operands. */
static bool write_mad_form(struct tidy *t, const struct mad_form *form, struct instr *i, struct literal_place *where)
{
	lanes const mask = i->dst.mask;
	bool minus = all_lanes(&form->f, mask, -1), plain = minus || all_lanes(&form->f, mask, 1);
	bool gone = all_lanes(&form->f, mask, 0), alone = all_lanes(&form->q, mask, 0);
	struct mad_term const terms[MAX_SOURCES] = {gone ? form->q : form->p, plain ? form->q : form->f, form->q};
	const struct numbers *numbers[MAX_SOURCES] = {NULL};
	bool any = false;
	i->op = gone || (plain && alone) ? OP_MOV : plain ? OP_ADD : alone ? OP_MUL : OP_MAD;
	memset(i->src, 0, sizeof i->src);
	EACH_SOURCE(s, i) {
		numbers[s] = terms[s].literal ? &terms[s].numbers : NULL;
		any |= terms[s].literal;
		if (!terms[s].literal && !register_source(t, i, s, &terms[s]))
			return false;
	}
	i->src[0].negate ^= minus;
	where->decl = UINT32_MAX;
	return !any || tidy_place_numbers(t, i, numbers, where);
}

/* --- joining ------------------------------------------------------------------------ */

static bool reads_same_register(const struct src *a, const struct src *b)
{
	return a->file == b->file && a->index == b->index && a->negate == b->negate;
}

/* Makes one term that is a in the lanes in `mask_a` and b elsewhere.  Returns false unless both are lanes of one
 * register with the same sign, or both are literals. */
static bool merge_mad_terms(const struct mad_term *a, const struct mad_term *b, lanes mask_a, struct mad_term *out)
{
	if (a->literal != b->literal || (!a->literal && !reads_same_register(&a->src, &b->src)))
		return false;
	*out = *a;
	EACH_LANE(lane, (lanes)~mask_a) {
		out->from[lane] = b->from[lane];
		out->numbers.of[lane] = b->numbers.of[lane];
		out->numbers.negative = (lanes)((out->numbers.negative & ~(1u << lane)) | (b->numbers.negative & 1u << lane));
	}
	return true;
}

static unsigned finite_textures_of(const struct tidy *t)
{
	return t->limits ? t->limits->finite_textures : 0;
}

/* Returns true if the operands of instruction k that read the register of p are finite, so that a mad may multiply lanes that they read by 0. */
static bool can_spread(struct tidy *t, uint32_t k, const struct src *p)
{
	const struct instr *i = &t->p->instrs.at[k];
	EACH_SOURCE(s, i)
		if (i->src[s].file == p->file && i->src[s].index == p->index && !finite_operand(tidy_flow(t), k, s, finite_textures_of(t)))
			return false;
	return true;
}

/* Returns the term, changed to read in the lanes outside `mask` what it reads in the first lane in `mask`.  The value in these lanes does not
 * matter, since it is multiplied by 0. */
static struct mad_term in_all_lanes(const struct mad_term *term, lanes mask)
{
	struct mad_term all = *term;
	unsigned first = term->from[0];
	for (unsigned lane = LANES; lane-- > 0;)
		if (mask >> lane & 1)
			first = term->from[lane];
	EACH_LANE(lane, (lanes)~mask)
		all.from[lane] = first;
	return all;
}

static bool merge_forms(struct tidy *t, const uint32_t at[2], const lanes mask[2], struct mad_form x, struct mad_form y, struct mad_form *out)
{
	if (x.p.any && y.p.any)
		return false;
	if ((x.p.any && !can_spread(t, at[1], &y.p.src)) || (y.p.any && !can_spread(t, at[0], &x.p.src)))
		return false;
	if (x.p.any)
		x.p = in_all_lanes(&y.p, mask[1]);
	else if (y.p.any)
		y.p = in_all_lanes(&x.p, mask[0]);
	return merge_mad_terms(&x.p, &y.p, mask[0], &out->p) && merge_mad_terms(&x.f, &y.f, mask[0], &out->f) &&
	       merge_mad_terms(&x.q, &y.q, mask[0], &out->q);
}

/* --- a cheap test --------------------------------------------------------------------- */

enum { ROUGH_NUMBER = -1, ROUGH_ANY = -2 };

/* A form p * f + q by the registers of its terms alone: ROUGH_NUMBER stands for literals, ROUGH_ANY for any register. */
struct rough {
	int p, f, q;
};

static int rough_register(const struct src *s)
{
	return (int)s->file << 16 | (uint16_t)s->index;
}

static int roughly(const struct tidy *t, const struct instr *i, unsigned s)
{
	if (s == NO_TERM)
		return ROUGH_NUMBER;
	const struct src *src = &i->src[s];
	return src->file == REG_CONST && !src->relative && t->literal[src->index] ? ROUGH_NUMBER : rough_register(src);
}

/* Finds the registers of all forms that forms_of() finds, and perhaps of some that it does not. */
static unsigned rough_forms(const struct tidy *t, const struct instr *i, struct rough out[2])
{
	struct product_sum as;
	if (!as_product_sum((enum op)i->op, &as))
		return 0;
	out[0] = (struct rough){rough_register(&i->src[as.p]), roughly(t, i, as.f), roughly(t, i, as.q)};
	if (as.f != NO_TERM)
		out[1] = (struct rough){rough_register(&i->src[as.f]), roughly(t, i, as.p), out[0].q};
	else
		out[1] = (struct rough){as.q == NO_TERM ? ROUGH_ANY : rough_register(&i->src[as.q]), ROUGH_NUMBER, roughly(t, i, as.p)};
	return 2;
}

/* Returns true if the terms p of two forms p * f + q might be merged: they read the same register, or one form allows any p (ROUGH_ANY). */
static bool same_rough(int a, int b)
{
	return a == b || a == ROUGH_ANY || b == ROUGH_ANY;
}

bool tidy_may_be_mad(const struct tidy *t, const struct instr *a, const struct instr *b)
{
	struct rough x[2], y[2];
	bool may = false;
	if (!instr_flags_agree(a, b))
		return false;
	unsigned const na = rough_forms(t, a, x), nb = na ? rough_forms(t, b, y) : 0;
	for (unsigned m = 0; m < na; m++)
		for (unsigned n = 0; n < nb; n++)
			may |= same_rough(x[m].p, y[n].p) && x[m].f == y[n].f && x[m].q == y[n].q;
	return may;
}

/* Finds the ways to write `i`, which computes what instruction k does, as p * f + q, and returns how many there are.  If the result must be the
 * same to the last bit, a summand 0 becomes -0, since only adding -0 leaves every number as it is. */
static unsigned forms_at(struct tidy *t, const struct instr *i, uint32_t k, struct mad_form out[2])
{
	unsigned const n = forms_of(t, i, out);
	for (unsigned x = 0; x < n && (i->op == OP_MOV || i->op == OP_MUL) && tidy_is_exact(t, k); x++)
		out[x].q.numbers.negative = out[x].p.any ? 0 : MASK_XYZW;
	return n;
}

bool tidy_as_mad(struct tidy *t, const struct instr *a, uint32_t j, const struct instr *b, uint32_t k, struct instr *out,
                 struct literal_place *where)
{
	struct mad_form of_a[2], of_b[2], both;
	if (!instr_flags_agree(a, b))
		return false;
	unsigned na = forms_at(t, a, j, of_a), nb = na ? forms_at(t, b, k, of_b) : 0;
	for (unsigned x = 0; x < na; x++) {
		for (unsigned y = 0; y < nb; y++) {
			*out = *a;
			instr_keep_precision(out, b);
			instr_set_mask(out, a->dst.mask | b->dst.mask);
			if (merge_forms(t, (uint32_t[]){j, k}, (lanes[]){a->dst.mask, b->dst.mask}, of_a[x], of_b[y], &both) &&
			    write_mad_form(t, &both, out, where) && check_instr_alone(t->p, out) == 0 &&
			    (!tidy_is_exact(t, j) || tidy_does_the_same(t, a, out, where)) &&
			    (!tidy_is_exact(t, k) || tidy_does_the_same(t, b, out, where)))
				return true;
		}
	}
	return false;
}

/* --- times 1, times 0, plus 0 ------------------------------------------------------- */

/* Returns true if the instruction reads a literal 0, 1 or -1 in the first lane that it writes: a cheap test. */
static bool reads_unit(const struct tidy *t, const struct instr *i)
{
	unsigned first = 0;
	while (first < LANES - 1 && !(i->dst.mask >> first & 1))
		first++;
	bool any = false;
	for (unsigned s = 0; s < ops[i->op].sources && !any; s++) {
		const struct decl *def = tidy_def(t, &i->src[s]);
		float const x = def ? def->value[swizzle_lane(i->src[s].swizzle, first)] : 2;
		any = x == 0 || x == 1 || x == -1;
	}
	return any;
}

/* Returns true if operand s of instruction k reads, in operand lane `lane`, a literal 0, or a copy of one. */
static bool reads_zero(struct tidy *t, uint32_t k, unsigned s, unsigned lane)
{
	const struct src *src = &t->p->instrs.at[k].src[s];
	unsigned from = swizzle_lane(src->swizzle, lane);
	uint32_t const def = src->file == REG_TEMP ? flow_def(tidy_flow(t), k, s, lane) : FLOW_UNWRITTEN;
	if (def < FLOW_INPUT && t->p->instrs.at[def].op == OP_MOV) {
		src = &t->p->instrs.at[def].src[0];
		from = swizzle_lane(src->swizzle, from);
	}
	const struct decl *literal = tidy_def(t, src);
	return literal && literal->value[from] == 0 && !tidy_is_noted(t, src->index, from);
}

/* Replaces dot product k by an `op` that reads operand lanes from[0], from[1] and so on of the dot product's operands.  Returns false if no swizzle
 * reads these lanes. */
static bool replace_dot(struct tidy *t, uint32_t k, enum op op, const unsigned from[LANES])
{
	struct instr const dot = t->p->instrs.at[k];
	struct instr shorter = dot;
	shorter.op = (uint8_t)op;
	bool fits = true;
	for (unsigned s = 0; s < 2 && fits; s++) {
		unsigned lane[LANES];
		for (unsigned l = 0; l < LANES; l++)
			lane[l] = swizzle_lane(dot.src[s].swizzle, from[l]);
		shorter.src[s].letters = 0;
		fits = tidy_swizzle(t, &shorter, s, lane, op == OP_DP3 ? MASK_XYZ : dot.dst.mask, &shorter.src[s].swizzle);
	}
	return fits && tidy_replace(t, k, &shorter);
}

/* Removes products with a factor 0 from dot product k: a dp4 becomes a dp3, and a dot product with one product left becomes a mul, or a
 * mad if it was a dp2add. */
static bool shorten_dot(struct tidy *t, uint32_t k)
{
	const struct instr *i = &t->p->instrs.at[k];
	unsigned const all = i->op == OP_DP4 ? 4 : i->op == OP_DP3 ? 3 : i->op == OP_DP2ADD ? 2 : 0;
	lanes kept = 0;
	for (unsigned lane = 0; lane < all; lane++)
		kept |= (lanes)(!reads_zero(t, k, 0, lane) && !reads_zero(t, k, 1, lane)) << lane;
	if (count_lanes(kept) == all || tidy_is_exact(t, k))
		return false;
	if (count_lanes(kept) == 1) {
		unsigned const one = first_lane(kept);
		return replace_dot(t, k, all == 2 ? OP_MAD : OP_MUL, (unsigned[]){one, one, one, one});
	}
	bool shorter = false;
	for (unsigned zero = all == LANES ? LANES : 0; zero-- > 0 && !shorter;)
		shorter = !(kept >> zero & 1) && replace_dot(t, k, OP_DP3, (unsigned[]){zero < 1, zero < 2 ? 2 : 1, zero < 3 ? 3 : 2, 3});
	return shorter;
}

bool tidy_units(struct tidy *t)
{
	bool changed = false;
	for (uint32_t k = 0; k < t->p->instrs.n; k++) {
		changed |= shorten_dot(t, k) || tidy_cancel(t, k);
		const struct instr *i = &t->p->instrs.at[k];
		struct mad_form form[2];
		bool const may = i->op != OP_MOV && tidy_can_join(i) && reads_unit(t, i) && !tidy_is_exact(t, k);
		unsigned n = may ? forms_of(t, i, form) : 0;
		for (unsigned x = 0; x < n; x++) {
			lanes const mask = i->dst.mask;
			bool plain = all_lanes(&form[x].f, mask, 1) || all_lanes(&form[x].f, mask, -1);
			bool alone = all_lanes(&form[x].q, mask, 0);
			struct instr simple = *i;
			struct literal_place where;
			/* Write p * f + q anew only if that has fewer operands than the instruction. */
			bool fewer = all_lanes(&form[x].f, mask, 0) || (plain && alone) || (i->op == OP_MAD && (plain || alone));
			if (!fewer || !write_mad_form(t, &form[x], &simple, &where) || !tidy_replace(t, k, &simple))
				continue;
			tidy_place(t, &where);
			changed = true;
			break;
		}
	}
	return changed;
}
