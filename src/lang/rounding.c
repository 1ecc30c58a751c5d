/* Sums that float arithmetic rounds, see rounding.h: by the literals alone, from the first instruction to the last. */
#include "lang/rounding.h"

#include <string.h>

#define NOBODY UINT32_MAX

static const struct rounding_part unknown = {0, 1, 0, 0, NOBODY};

static double size_of(const struct rounding_part *x)
{
	return fmax(fabs(x->number), x->scale);
}

static struct rounding_part literal(float number)
{
	return (struct rounding_part){(double)number, 0, number, fabs((double)number), NOBODY};
}

static struct rounding_part negated(struct rounding_part x)
{
	x.number = -x.number;
	x.rounded = -x.rounded;
	return x;
}

static struct rounding_part product(const struct rounding_part *a, const struct rounding_part *b)
{
	const struct rounding_part *k = a->scale > 0 ? b : a, *x = k == a ? b : a;
	if (k->scale > 0)
		return (struct rounding_part){0, size_of(a) * size_of(b), 0, 0, NOBODY};
	struct rounding_part p = {k->number * x->number, fabs(k->number) * x->scale, k->rounded * x->rounded, fabs(k->number) * x->most, x->by};
	return p;
}

static void found(struct rounding_walk *w, const struct rounding_part *most)
{
	int exponent;
	frexp(most->most, &exponent);
	double const step = fmax(ldexp(1, exponent - FLT_MANT_DIG), (double)FLT_MIN);
	w->step[w->lane] = fmax(w->step[w->lane], step);
	if (w->found)
		return;
	w->found = true;
	w->what = (struct rounding){w->at, most->by == NOBODY ? w->at : most->by, most->most, step};
}

static struct rounding_part sum(struct rounding_walk *w, const struct rounding_part *a, const struct rounding_part *b)
{
	const struct rounding_part *more = a->most >= b->most ? a : b;
	struct rounding_part s = {a->number + b->number, fmax(a->scale, b->scale), a->rounded + b->rounded, more->most, more->by};
	if (s.by == NOBODY)
		s.by = w->at;
	double const left = size_of(&s);
	bool const lost = s.scale > 0 ? more->most >= FAR_APART * left
	                              : fabs(s.number - (double)s.rounded) > FAR_OFF * fabs(s.number);
	if (lost && isfinite(more->most)) {
		found(w, &(struct rounding_part){.most = more->most, .by = s.by});
		s.rounded = (float)s.number;
		s.most = left;
	}
	/* A number that kept its digits is a number, however it was made. */
	if (s.scale <= 0 && !lost)
		s.most = 0;
	if (fabs(s.number) > s.most) {
		s.most = fabs(s.number);
		s.by = w->at;
	}
	return s;
}

/* The register whose lanes are followed; NULL: they are not. */
static const struct rounding_register *register_read(const struct rounding_walk *w, const struct src *s, int index)
{
	if (s->file == REG_TEMP && index >= 0 && index < ROUNDING_TEMPS)
		return &w->temp[index];
	return s->file == REG_TEXCOORD && index >= 0 && index < ROUNDING_CARRIERS ? &w->carrier[index] : NULL;
}

static bool is_literal(const struct rounding_walk *w, const struct src *s, int index)
{
	return s->file == REG_CONST && !s->relative && index >= 0 && index < MOST_CONSTS && register_is_in(&w->literals, index);
}

static struct rounding_part read_lane(const struct rounding_walk *w, const struct src *s, unsigned position, int row)
{
	unsigned const lane = swizzle_lane(s->swizzle, position);
	int const index = s->index + row;
	const struct rounding_register *from = register_read(w, s, index);
	struct rounding_part x = unknown;
	if (is_literal(w, s, index))
		x = literal(program_decl(w->p, REG_CONST, index)->value[lane]);
	else if (from && from->known >> lane & 1)
		x = from->lane[lane];
	return s->negate ? negated(x) : x;
}

/* Returns whether only numbers of size 1 are read, so that the result has that size, too. */
static bool is_dull(const struct rounding_walk *w, const struct instr *i)
{
	bool dull = ops[i->op].shape != SHAPE_DST; /* its .x is 1 */
	for (unsigned s = 0; dull && s < ops[i->op].sources; s++)
		for (unsigned row = 0; dull && row < instr_rows(i, s); row++) {
			int const index = i->src[s].index + (int)row;
			const struct rounding_register *from = register_read(w, &i->src[s], index);
			dull = !is_literal(w, &i->src[s], index) && !(from && from->known);
		}
	return dull;
}

static struct rounding_part dot(struct rounding_walk *w, const struct instr *i, unsigned n, int row)
{
	struct rounding_part all = literal(0);
	for (unsigned k = 0; k < n; k++) {
		struct rounding_part const a = read_lane(w, &i->src[0], k, 0), b = read_lane(w, &i->src[1], k, row), ab = product(&a, &b);
		all = sum(w, &all, &ab);
	}
	return all;
}

/* What may be either. */
static struct rounding_part either(const struct rounding_part *a, const struct rounding_part *b)
{
	struct rounding_part x = fabs(a->number) >= fabs(b->number) ? *a : *b;
	const struct rounding_part *more = a->most >= b->most ? a : b;
	x.scale = fmax(fabs(a->number - b->number), fmax(a->scale, b->scale));
	x.most = more->most;
	x.by = more->by;
	return x;
}

/* The greater one, or, the other way round, the lesser. */
static struct rounding_part extreme(const struct rounding_part *a, const struct rounding_part *b)
{
	double const ahead = a->number - b->number, apart = a->scale + b->scale;
	return ahead > apart ? *a : -ahead > apart ? *b : either(a, b);
}

/* A function of numbers alone is one, where a float holds it: the mover may write it as a literal.  What jumps is asked of the
 * float that the literal would be, as it is where the operand has become one. */
static struct rounding_part number_of(double number, float rounded)
{
	bool const held = isfinite(rounded) && number_is_normal((long double)number);
	return held ? (struct rounding_part){number, 0, rounded, fabs(number), NOBODY} : unknown;
}

static struct rounding_part function(enum op op, const struct rounding_part s[MAX_SOURCES])
{
	float const x = (float)s[0].number, y = (float)s[1].number;
	for (unsigned k = 0; k < ops[op].sources; k++)
		if (s[k].scale > 0)
			return unknown;
	switch (op) {
	case OP_RCP: return number_of(1 / s[0].number, 1 / s[0].rounded);
	case OP_FRC: return isfinite(x) ? literal(x - floorf(x)) : unknown;
	case OP_ABS: return s[0].number < 0 ? negated(s[0]) : s[0];
	case OP_SGE: return literal(x >= y);
	case OP_SLT: return literal(x < y);
	default: return unknown;
	}
}

static struct rounding_part saturated(const struct rounding_part *x)
{
	return x->scale > 0 ? unknown : x->number < 0 ? literal(0) : x->number > 1 ? literal(1) : *x;
}

static struct rounding_part cross(struct rounding_walk *w, const struct instr *i, unsigned lane)
{
	unsigned const next = (lane + 1) % 3, last = (lane + 2) % 3;
	struct rounding_part const a = read_lane(w, &i->src[0], next, 0), b = read_lane(w, &i->src[1], last, 0),
	                           c = read_lane(w, &i->src[0], last, 0), d = read_lane(w, &i->src[1], next, 0),
	                           ab = product(&a, &b), minus = negated(product(&c, &d));
	return sum(w, &ab, &minus);
}

static struct rounding_part distance(const struct rounding_walk *w, const struct instr *i, unsigned lane)
{
	struct rounding_part const a = read_lane(w, &i->src[0], lane, 0), b = read_lane(w, &i->src[1], lane, 0);
	return lane == LANE_X ? literal(1) : lane == LANE_Y ? product(&a, &b) : lane == LANE_Z ? a : b;
}

static struct rounding_part result(struct rounding_walk *w, const struct instr *i, unsigned lane)
{
	struct rounding_part s[MAX_SOURCES] = {unknown, unknown, unknown}, p;
	EACH_SOURCE(k, i)
		s[k] = read_lane(w, &i->src[k], ops[i->op].shape == SHAPE_DP2ADD || ops[i->op].shape == SHAPE_SCALAR ? 0 : lane, 0);
	switch (ops[i->op].shape) {
	case SHAPE_DP3: return dot(w, i, 3, 0);
	case SHAPE_DP4: return dot(w, i, 4, 0);
	case SHAPE_MATRIX: return dot(w, i, i->op == OP_M4X4 || i->op == OP_M4X3 ? 4 : 3, (int)lane);
	case SHAPE_DP2ADD:
		p = dot(w, i, 2, 0);
		return sum(w, &p, &s[2]);
	case SHAPE_CROSS: return cross(w, i, lane);
	case SHAPE_DST: return distance(w, i, lane);
	case SHAPE_LANES:
	case SHAPE_SCALAR: break;
	case SHAPE_NONE: case SHAPE_EXPP: case SHAPE_LOGP: case SHAPE_LIT:
	case SHAPE_NRM: case SHAPE_SGN: case SHAPE_SINCOS: case SHAPE_KILL: case SHAPE_TEX: case SHAPE_TEXW: case SHAPE_TEXD:
	case SHAPE_COMPARE:
	case SHAPE_REGION: return unknown;
	}
	switch ((enum op)i->op) {
	case OP_MOV: return s[0];
	case OP_CMP: return either(&s[1], &s[2]);
	case OP_MAX: return extreme(&s[0], &s[1]);
	case OP_MIN: return extreme(&s[1], &s[0]);
	case OP_SUB: s[1] = negated(s[1]); return sum(w, &s[0], &s[1]);
	case OP_ADD: return sum(w, &s[0], &s[1]);
	case OP_MUL: return product(&s[0], &s[1]);
	case OP_MAD:
		p = product(&s[0], &s[1]);
		return sum(w, &p, &s[2]);
	case OP_LRP: {
		struct rounding_part const minus = negated(s[2]), gap = sum(w, &s[1], &minus);
		p = product(&s[0], &gap);
		return sum(w, &p, &s[2]);
	}
	default: return function((enum op)i->op, s);
	}
}

/* What an interpolator brings. */
static struct rounding_part delivered(struct rounding_part x)
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
			w->carrier[t].lane[l] = delivered(vs->carrier[t].lane[l]);
	}
	if (!w->any) /* no number, no such sum */
		w->at = p->instrs.n;
}

/* Where what an instruction writes is kept, or NULL. */
static struct rounding_register *kept(struct rounding_walk *w, const struct dst *d)
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
		struct rounding_register *to = kept(w, &i->dst);
		lanes const written = instr_writes(i);
		if (is_dull(w, i)) {
			if (to)
				to->known &= (lanes)~written;
			continue;
		}
		for (w->lane = 0; w->lane < LANES; w->lane++) {
			w->step[w->lane] = 0;
			if (written >> w->lane & 1)
				from[w->lane] = result(w, i, w->lane);
		}
		for (unsigned l = 0; to && l < LANES; l++) {
			if (!(written >> l & 1))
				continue;
			to->lane[l] = i->flags & INSTR_SAT ? saturated(&from[l]) : from[l];
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
