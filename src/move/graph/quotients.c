/* Finds quotients whose dividend and divisor are proportional, see ties.h.  requires: values of the current program.
 *
 *     mul r0, t0.x, c0      // near t0.x = 0 all lanes have the same relative error as t0.x, so
 *     texldp r0, r0, s0     // the quotients are c0 / c0.w in all pixels
 *
 * If two multiples of t0.x are interpolated separately, each has a rounding error of its own, in proportion to its size at the vertices: near
 * t0.x = 0, the quotient is one of errors.  Multiples by a power of two have the same digits and so the same errors. */
#include "move/graph/ties.h"

#include "move/graph/evaluate.h"
#include "move/graph/values_inside.h"

#include <math.h>

enum { MOST_STEPS = 4 /* instructions that are followed back from a product to an rcp */, MOST_SCALE = 24 };

static bool same_print(struct fingerprint a, struct fingerprint b)
{
	return a.a == b.a && a.b == b.b;
}

/* Returns true if a * d = b * c. */
static bool in_proportion(const struct values *v, value_id a, value_id b, value_id c, value_id d)
{
	return same_print(fingerprint_times(value_at(v, a)->print, value_at(v, d)->print),
	                  fingerprint_times(value_at(v, b)->print, value_at(v, c)->print));
}

/* Returns true if a is b, or -b, times a power of two. */
static bool has_same_digits(const struct value *a, const struct value *b)
{
	bool same = false;
	for (int n = -MOST_SCALE; n <= MOST_SCALE && !same; n++) {
		struct fingerprint const scaled = fingerprint_times(b->print, fingerprint_of_number(ldexpf(1, n)));
		same = same_print(a->print, scaled) || same_print(a->print, fingerprint_negated(scaled));
	}
	return same;
}

/* Returns true if both values are affine and one is a constant times the other, where the constant is not plus or minus a power of two.  Their
 * quotient would get noise if two interpolators delivered them. */
static bool is_noisy_quotient(const struct values *v, value_id a, value_id b)
{
	if (a == NO_VALUE || b == NO_VALUE || a == b)
		return false;
	const struct value *x = value_at(v, a), *y = value_at(v, b);
	bool all = x->class == VALUE_AFFINE && y->class == VALUE_AFFINE && x->nterms == y->nterms;
	for (uint32_t t = 0; all && t < x->nterms; t++)
		all = x->terms[t].input == y->terms[t].input && in_proportion(v, x->terms[t].coef, y->terms[t].coef, x->terms->coef, y->terms->coef);
	return all && in_proportion(v, x->constant, y->constant, x->terms->coef, y->terms->coef) && !has_same_digits(x, y);
}

static void tie_both(struct values *v, value_id a, value_id b)
{
	if (!is_noisy_quotient(v, a, b))
		return;
	value_tie(v, a, TIED_QUOTIENT);
	value_tie(v, b, TIED_QUOTIENT);
}

/* Follows a lane of an operand back through at most `steps` movs and products to an rcp, and returns the value of which that is the reciprocal.
 * Returns NO_VALUE if there is no rcp. */
static value_id divisor_of_operand(const struct values *v, uint32_t k, unsigned s, unsigned lane, unsigned steps)
{
	int32_t const def = v->use[k][s].read >> lane & 1 ? v->use[k][s].def[lane] : -1;
	if (def < 0 || steps == 0)
		return NO_VALUE;
	const struct instr *i = &v->ps->instrs.at[def];
	unsigned const from = swizzle_lane(v->ps->instrs.at[k].src[s].swizzle, lane);
	if (i->op == OP_RCP)
		return v->use[def][0].value[LANE_X];
	value_id by = i->op == OP_MOV || i->op == OP_MUL ? divisor_of_operand(v, (uint32_t)def, 0, from, steps - 1) : NO_VALUE;
	return by == NO_VALUE && i->op == OP_MUL ? divisor_of_operand(v, (uint32_t)def, 1, from, steps - 1) : by;
}

static void tie_products(struct values *v, uint32_t k)
{
	const struct instr *i = &v->ps->instrs.at[k];
	struct product_sum as;
	if (!as_product_sum((enum op)i->op, &as) || as.f == NO_TERM)
		return;
	EACH_LANE(lane, instr_writes(i)) {
		tie_both(v, v->use[k][as.p].value[lane], divisor_of_operand(v, k, as.f, lane, MOST_STEPS));
		tie_both(v, v->use[k][as.f].value[lane], divisor_of_operand(v, k, as.p, lane, MOST_STEPS));
	}
}

/* If all lanes of the vector that nrm reads are equal to or proportional to its x, marks the proportional ones and x as tied (no interpolator may
 * deliver them).  The normalised vector is then the same, or opposite, in all pixels, and must remain so. */
static void tie_direction(struct values *v, uint32_t k)
{
	const value_id *x = v->use[k][0].value;
	bool all = true;
	for (unsigned lane = LANE_Y; lane <= LANE_Z; lane++)
		all &= x[lane] == x[LANE_X] || is_noisy_quotient(v, x[lane], x[LANE_X]);
	for (unsigned lane = LANE_Y; all && lane <= LANE_Z; lane++)
		tie_both(v, x[lane], x[LANE_X]);
}

void quotients_tie(struct values *v)
{
	for (uint32_t k = 0; k < v->ps->instrs.n; k++) {
		const struct instr *i = &v->ps->instrs.at[k];
		const struct use *at = &v->use[k][0];
		for (unsigned lane = LANE_X; i->op == OP_TEXLDP && lane <= LANE_Z; lane++)
			if (at->read >> lane & 1)
				tie_both(v, at->value[lane], at->value[LANE_W]);
		if (i->op == OP_NRM)
			tie_direction(v, k);
		else
			tie_products(v, k);
	}
}
