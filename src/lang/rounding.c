/* Finds sums that float arithmetic rounds, see rounding.h, by following literals from the first instruction to the last. */
#include "lang/rounding.h"

#include <string.h>

#define NOBODY UINT32_MAX

static const struct rounding_part unknown_part = {.scale = 1, .by = NOBODY};

static double part_size(const struct rounding_part *x)
{
	return fmax(fabs(x->number), x->scale);
}

static struct rounding_part literal_part(float number)
{
	return (struct rounding_part){.number = (double)number, .rounded = number, .most = fabs((double)number), .by = NOBODY};
}

static struct rounding_part negated_part(struct rounding_part x)
{
	x.number = -x.number;
	x.rounded = -x.rounded;
	return x;
}

static struct rounding_part product_part(const struct rounding_part *a, const struct rounding_part *b)
{
	const struct rounding_part *k = a->scale > 0 ? b : a, *x = k == a ? b : a;
	if (k->scale > 0)
		return (struct rounding_part){.scale = part_size(a) * part_size(b), .by = NOBODY};
	return (struct rounding_part){
		.number = k->number * x->number, .scale = fabs(k->number) * x->scale, .rounded = k->rounded * x->rounded,
		.most = fabs(k->number) * x->most, .by = x->by,
	};
}

/* Records a sum that is rounded, as it subtracts the large number most->most: in `step` of its lane and, if it is the first of its instruction,
 * in `what`. */
static void note_rounding(struct rounding_walk *w, const struct rounding_part *most)
{
	int exponent;
	frexp(most->most, &exponent);
	double const step = fmax(ldexp(1, exponent - FLT_MANT_DIG), (double)FLT_MIN);
	w->step[w->lane] = fmax(w->step[w->lane], step);
	if (w->found)
		return;
	w->found = true;
	w->what = (struct rounding){.at = w->at, .by = most->by == NOBODY ? w->at : most->by, .number = most->most, .step = step};
}

static struct rounding_part sum_parts(struct rounding_walk *w, const struct rounding_part *a, const struct rounding_part *b)
{
	const struct rounding_part *more = a->most >= b->most ? a : b;
	struct rounding_part s = {
		.number = a->number + b->number, .scale = fmax(a->scale, b->scale), .rounded = a->rounded + b->rounded,
		.most = more->most, .by = more->by,
	};
	if (s.by == NOBODY)
		s.by = w->at;
	double const left = part_size(&s);
	bool const lost = s.scale > 0 ? more->most >= FAR_APART * left
	                              : fabs(s.number - (double)s.rounded) > FAR_OFF * fabs(s.number);
	if (lost && isfinite(more->most)) {
		note_rounding(w, &(struct rounding_part){.most = more->most, .by = s.by});
		s.rounded = (float)s.number;
		s.most = left;
	}
	/* If the sum is a known number that kept its digits, the numbers added on the way no longer count. */
	if (s.scale <= 0 && !lost)
		s.most = 0;
	if (fabs(s.number) > s.most) {
		s.most = fabs(s.number);
		s.by = w->at;
	}
	return s;
}

/* Returns what the walk knows of register `index` of the operand's file; NULL if it follows no such register. */
static const struct rounding_register *register_read(const struct rounding_walk *w, const struct src *s, int index)
{
	if (s->file == REG_TEMP && index >= 0 && index < ROUNDING_TEMPS)
		return &w->temp[index];
	return s->file == REG_TEXCOORD && index >= 0 && index < ROUNDING_CARRIERS ? &w->carrier[index] : NULL;
}

static bool is_followed_literal(const struct rounding_walk *w, const struct src *s, int index)
{
	return s->file == REG_CONST && !s->relative && index >= 0 && index < MOST_CONSTS && register_is_in(&w->literals, index);
}

static struct rounding_part operand_part(const struct rounding_walk *w, const struct src *s, unsigned position, int row)
{
	unsigned const lane = swizzle_lane(s->swizzle, position);
	int const index = s->index + row;
	const struct rounding_register *from = register_read(w, s, index);
	struct rounding_part x = unknown_part;
	if (is_followed_literal(w, s, index))
		x = literal_part(program_decl(w->p, REG_CONST, index)->value[lane]);
	else if (from && from->known >> lane & 1)
		x = from->lane[lane];
	return s->negate ? negated_part(x) : x;
}

/* Returns true if no operand is a literal or a register with a `known` lane, so that nothing is known of the result.  Returns false for dst,
 * which makes a 1. */
static bool reads_only_unknown(const struct rounding_walk *w, const struct instr *i)
{
	bool all = ops[i->op].shape != SHAPE_DST; /* its .x is 1 */
	for (unsigned s = 0; all && s < ops[i->op].sources; s++)
		for (unsigned row = 0; all && row < instr_rows(i, s); row++) {
			int const index = i->src[s].index + (int)row;
			const struct rounding_register *from = register_read(w, &i->src[s], index);
			all = !is_followed_literal(w, &i->src[s], index) && !(from && from->known);
		}
	return all;
}

static struct rounding_part dot_part(struct rounding_walk *w, const struct instr *i, unsigned n, int row)
{
	struct rounding_part all = literal_part(0);
	for (unsigned k = 0; k < n; k++) {
		struct rounding_part const a = operand_part(w, &i->src[0], k, 0), b = operand_part(w, &i->src[1], k, row), ab = product_part(&a, &b);
		all = sum_parts(w, &all, &ab);
	}
	return all;
}

/* Returns a rounding_part that covers both `a` and `b`, for a value that is one of them. */
static struct rounding_part either_part(const struct rounding_part *a, const struct rounding_part *b)
{
	struct rounding_part x = fabs(a->number) >= fabs(b->number) ? *a : *b;
	const struct rounding_part *more = a->most >= b->most ? a : b;
	x.scale = fmax(fabs(a->number - b->number), fmax(a->scale, b->scale));
	x.most = more->most;
	x.by = more->by;
	return x;
}

/* Returns the greater of two values, or either_part() if it is not known which one is greater. */
static struct rounding_part greater_part(const struct rounding_part *a, const struct rounding_part *b)
{
	double const ahead = a->number - b->number, apart = a->scale + b->scale;
	return ahead > apart ? *a : -ahead > apart ? *b : either_part(a, b);
}

/* Returns the rounding_part of a known number: `number` is its exact value, `rounded` the result of float arithmetic.  Returns unknown_part if
 * `rounded` is infinite or NaN, or `number` is outside the range of normal floats, so that the mover may not write it as a literal. */
static struct rounding_part number_part(double number, float rounded)
{
	bool const held = isfinite(rounded) && number_is_normal((long double)number);
	return held ? (struct rounding_part){.number = number, .rounded = rounded, .most = fabs(number), .by = NOBODY} : unknown_part;
}

/* Returns a result lane of an opcode that result_part() has no case for: a known number only for rcp, frc, abs, sge and slt of known numbers, if
 * a float holds the result, else unknown_part.  Computes frc, sge and slt, which are discontinuous, from the operands as floats. */
static struct rounding_part function_part(enum op op, const struct rounding_part s[MAX_SOURCES])
{
	float const x = (float)s[0].number, y = (float)s[1].number;
	for (unsigned k = 0; k < ops[op].sources; k++)
		if (s[k].scale > 0)
			return unknown_part;
	switch (op) {
	case OP_RCP: return number_part(1 / s[0].number, 1 / s[0].rounded);
	case OP_FRC: return isfinite(x) ? literal_part(x - floorf(x)) : unknown_part;
	case OP_ABS: return s[0].number < 0 ? negated_part(s[0]) : s[0];
	case OP_SGE: return literal_part(x >= y);
	case OP_SLT: return literal_part(x < y);
	default: return unknown_part;
	}
}

static struct rounding_part saturated_part(const struct rounding_part *x)
{
	return x->scale > 0 ? unknown_part : x->number < 0 ? literal_part(0) : x->number > 1 ? literal_part(1) : *x;
}

static struct rounding_part cross_part(struct rounding_walk *w, const struct instr *i, unsigned lane)
{
	unsigned const next = (lane + 1) % 3, last = (lane + 2) % 3;
	struct rounding_part const a = operand_part(w, &i->src[0], next, 0), b = operand_part(w, &i->src[1], last, 0),
	                           c = operand_part(w, &i->src[0], last, 0), d = operand_part(w, &i->src[1], next, 0),
	                           ab = product_part(&a, &b), minus = negated_part(product_part(&c, &d));
	return sum_parts(w, &ab, &minus);
}

static struct rounding_part dst_part(const struct rounding_walk *w, const struct instr *i, unsigned lane)
{
	struct rounding_part const a = operand_part(w, &i->src[0], lane, 0), b = operand_part(w, &i->src[1], lane, 0);
	return lane == LANE_X ? literal_part(1) : lane == LANE_Y ? product_part(&a, &b) : lane == LANE_Z ? a : b;
}

static struct rounding_part result_part(struct rounding_walk *w, const struct instr *i, unsigned lane)
{
	struct rounding_part s[MAX_SOURCES] = {unknown_part, unknown_part, unknown_part}, p;
	EACH_SOURCE(k, i)
		s[k] = operand_part(w, &i->src[k], ops[i->op].shape == SHAPE_DP2ADD || ops[i->op].shape == SHAPE_SCALAR ? 0 : lane, 0);
	switch (ops[i->op].shape) {
	case SHAPE_DP3: return dot_part(w, i, 3, 0);
	case SHAPE_DP4: return dot_part(w, i, 4, 0);
	case SHAPE_MATRIX: return dot_part(w, i, i->op == OP_M4X4 || i->op == OP_M4X3 ? 4 : 3, (int)lane);
	case SHAPE_DP2ADD:
		p = dot_part(w, i, 2, 0);
		return sum_parts(w, &p, &s[2]);
	case SHAPE_CROSS: return cross_part(w, i, lane);
	case SHAPE_DST: return dst_part(w, i, lane);
	case SHAPE_LANES:
	case SHAPE_SCALAR: break;
	default: return unknown_part;
	}
	switch ((enum op)i->op) {
	case OP_MOV: return s[0];
	case OP_CMP: return either_part(&s[1], &s[2]);
	case OP_MAX: return greater_part(&s[0], &s[1]);
	case OP_MIN:
		s[0] = negated_part(s[0]);
		s[1] = negated_part(s[1]);
		return negated_part(greater_part(&s[0], &s[1]));
	case OP_SUB: s[1] = negated_part(s[1]); return sum_parts(w, &s[0], &s[1]);
	case OP_ADD: return sum_parts(w, &s[0], &s[1]);
	case OP_MUL: return product_part(&s[0], &s[1]);
	case OP_MAD:
		p = product_part(&s[0], &s[1]);
		return sum_parts(w, &p, &s[2]);
	case OP_LRP: {
		struct rounding_part const minus = negated_part(s[2]), gap = sum_parts(w, &s[1], &minus);
		p = product_part(&s[0], &gap);
		return sum_parts(w, &p, &s[2]);
	}
	default: return function_part((enum op)i->op, s);
	}
}

/* Returns the value of a lane of oT# as the FP reads it from t#: `by` says that the VP added the number. */
static struct rounding_part interpolated_part(struct rounding_part x)
{
	x.by = x.by == NOBODY ? NOBODY : ROUNDING_BY_VS;
	return x;
}

void rounding_start(struct rounding_walk *w, const struct program *p, const struct rounding_walk *vs)
{
	bool const given = vs && vs->any;
	w->p = p;
	w->at = 0;
	w->any = given;
	w->literals = (struct register_set){{0}};
	for (uint32_t k = 0; k < p->decls.n; k++) {
		const struct decl *d = &p->decls.at[k];
		if (d->kind != DECL_DEF || d->reg.index < 0 || d->reg.index >= MOST_CONSTS)
			continue;
		register_put_in(&w->literals, d->reg.index);
		w->any = true;
	}
	for (uint32_t k = 0; k < p->instrs.n; k++)
		w->any |= ops[p->instrs.at[k].op].shape == SHAPE_DST;
	for (unsigned t = 0; t < ROUNDING_TEMPS; t++)
		w->temp[t].known = 0;
	for (unsigned t = 0; t < ROUNDING_CARRIERS; t++) {
		w->carrier[t].known = given ? vs->carrier[t].known : 0;
		EACH_LANE(l, w->carrier[t].known)
			w->carrier[t].lane[l] = interpolated_part(vs->carrier[t].lane[l]);
	}
	if (!w->any) /* no sum can round: make rounding_next() return false */
		w->at = p->instrs.n;
}

/* Returns what the walk knows of an instruction's destination; NULL if it does not follow that register. */
static struct rounding_register *register_written(struct rounding_walk *w, const struct dst *d)
{
	if (d->file == REG_TEMP && d->index >= 0 && d->index < ROUNDING_TEMPS)
		return &w->temp[d->index];
	return d->file == REG_TEX_OUT && d->index >= 0 && d->index < ROUNDING_CARRIERS ? &w->carrier[d->index] : NULL;
}

static bool is_unknown(const struct rounding_part *x)
{
	return fabs(x->number) <= 0 && fabs(x->scale - 1) <= 0 && fabsf(x->rounded) <= 0 && x->most <= 0;
}

bool rounding_next(struct rounding_walk *w)
{
	w->found = false;
	for (; w->at < w->p->instrs.n && !w->found; w->at++) {
		const struct instr *i = &w->p->instrs.at[w->at];
		struct rounding_part from[LANES];
		struct rounding_register *to = register_written(w, &i->dst);
		lanes const written = instr_writes(i);
		if (reads_only_unknown(w, i)) {
			if (to)
				to->known &= (lanes)~written;
			continue;
		}
		for (w->lane = 0; w->lane < LANES; w->lane++) {
			w->step[w->lane] = 0;
			if (written >> w->lane & 1)
				from[w->lane] = result_part(w, i, w->lane);
		}
		for (unsigned l = 0; to && l < LANES; l++) {
			if (!(written >> l & 1))
				continue;
			to->lane[l] = i->flags & INSTR_SAT ? saturated_part(&from[l]) : from[l];
			to->known = (lanes)(is_unknown(&to->lane[l]) ? to->known & ~(1u << l) : to->known | 1u << l);
		}
	}
	return w->found;
}

bool rounding_any(const struct program *vs, const struct program *ps)
{
	struct rounding_walk of_vs, of_ps;
	rounding_start(&of_vs, vs, NULL);
	if (rounding_next(&of_vs))
		return true;
	rounding_start(&of_ps, ps, &of_vs);
	return rounding_next(&of_ps);
}
