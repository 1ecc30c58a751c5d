/* Makes new instructions that compute their lanes from an interpolator: a mov of it, or base * factor + offset with the factors in one
 * constant register, and the offsets in that register, too, or in the interpolator (line.c). */
#include "move/cut/search.h"

/* ---- one lane -------------------------------------------------------------------------------- */

/* Returns true if a constant register of the FP has the value or its opposite, or can get the value. */
static bool is_in_constants(const struct search *s, value_id id)
{
	if (value_is_settable(value_at(s->values, id), s->facts.options->preshader))
		return true;
	value_id const minus = value_find_negated(s->values, id);
	for (uint64_t left = s->state.plan->filled_consts; left; left &= left - 1) {
		const value_id *reg = s->state.plan->consts[first_bit(left)];
		for (unsigned lane = 0; lane < LANES; lane++)
			if (reg[lane] != NO_VALUE && (reg[lane] == id || reg[lane] == minus))
				return true;
	}
	return false;
}

/* Returns a factor such that value - base * factor lacks the first term of the value, or NO_VALUE if none is known.  The caller tests whether the
 * other terms cancel, too. */
static value_id factor_between(struct search *s, value_id value, value_id base)
{
	struct term const have = value_at(s->values, base)->terms[0], want = value_at(s->values, value)->terms[0];
	if (have.input != want.input || value_at(s->values, value)->nterms != value_at(s->values, base)->nterms ||
	    value_at(s->values, value)->kind != value_at(s->values, base)->kind)
		return NO_VALUE;
	if (have.coef == want.coef)
		return s->values->one;
	if (have.coef == s->values->one)
		return want.coef;
	if (have.coef == value_negated(s->values, want.coef))
		return value_negated(s->values, s->values->one);
	if (have.coef == value_negated(s->values, s->values->one))
		return value_negated(s->values, want.coef);
	const struct value *x = value_at(s->values, want.coef), *y = value_at(s->values, have.coef);
	if (x->known && y->known)
		return value_of_literal(s->values, (float)(x->number / y->number));
	for (unsigned r = 0; r < PS_CONSTS && s->effort.wide; r++)
		for (unsigned lane = 0; lane < LANES; lane++)
			if (s->state.plan->consts[r][lane] != NO_VALUE && !value_at(s->values, s->state.plan->consts[r][lane])->known &&
			    value_product(s->values, have.coef, s->state.plan->consts[r][lane]) == want.coef)
				return s->state.plan->consts[r][lane];
	return NO_VALUE;
}

/* Writes the value as base * factor + offset to *r.  Returns false if no factor is known, or factor and offset are not both
 * constants that a register can hold. */
static bool relate(struct search *s, value_id value, value_id base, struct relation *r)
{
	value_id factor = factor_between(s, value, base);
	value_id const scaled = factor == NO_VALUE ? NO_VALUE : value_product(s->values, base, factor);
	if (scaled == NO_VALUE)
		return false;
	value_id offset = value_sum(s->values, value, value_negated(s->values, scaled));
	*r = (struct relation){base, factor, offset};
	return offset != NO_VALUE && value_at(s->values, offset)->class == VALUE_CONST && is_in_constants(s, factor) &&
	       is_in_constants(s, offset);
}

/* Lists ways to compute a value as base * factor + offset.  The base is an input or its opposite, the value itself, which is then only copied, or
 * another value that the VP sends and that depends on the same input.  Returns the number of ways. */
static unsigned find_relations(struct search *s, value_id value, struct relation r[RELATIONS])
{
	unsigned n = 0;
	if (value_at(s->values, value)->class != VALUE_AFFINE) {
		r[0] = (struct relation){value, s->values->one, s->values->zero};
		return 1;
	}
	value_id input = NO_VALUE;
	if (value_at(s->values, value)->nterms == 1) {
		input = value_of_input(s->values, value_at(s->values, value)->terms[0].input,
		                       value_at(s->values, value)->kind);
		n += relate(s, value, input, &r[n]);
		n += relate(s, value, value_negated(s->values, input), &r[n]);
	}
	if (value != input)
		r[n++] = (struct relation){value, s->values->one, s->values->zero};
	for (unsigned k = 0; input != NO_VALUE && k < INTERPOLATORS * LANES && n < RELATIONS; k++) {
		value_id other = s->values->inputs.value[k];
		if (other != NO_VALUE && other != input && other != value && value_raw_input(s->values, other) == (int)k)
			n += relate(s, value, other, &r[n]);
	}
	return n;
}

const struct relations *search_relations(struct search *s, value_id value)
{
	uint32_t const others = 2 * s->facts.numbered, at = s->facts.options->preshader || value >= others ? others : value;
	struct relations *known = &s->facts.relations[at];
	uint32_t const when = 1 + 2 * s->values->program + s->effort.wide;
	if (s->facts.related[at] != when || at == others) {
		known->n = find_relations(s, value, known->at);
		known->by_app = search_find_app_relation(s, value);
	}
	s->facts.related[at] = when;
	return known;
}

/* ---- all lanes of an instruction ------------------------------------------------------------- */

struct mad search_empty_mad(const struct search *s)
{
	uint8_t const reach = search_reach(s);
	return (struct mad){.base = {.reach = reach}, .factor = {.reach = reach}, .offset = {.reach = reach}};
}

void search_add_to_mad(struct search *s, struct mad *a, unsigned k, const struct relation *r)
{
	a->factors |= r->factor != s->values->one;
	a->offsets |= r->offset != s->values->zero;
	pattern_set(s->values, &a->base, k, r->base);
	pattern_set(s->values, &a->factor, k, r->factor);
	pattern_set(s->values, &a->offset, k, r->offset);
}

bool search_request_mad(struct search *s, const struct mad *a)
{
	struct pattern const constants[2] = {a->factors ? a->factor : a->offset, a->offset};
	unsigned const n = (unsigned)a->factors + (a->offsets && !a->offset_rides);
	struct request here = {.n = 0};
	return (n == 0 || search_supply_constant(s, constants, n, -1) >= 0) &&
	       (!a->offset_rides || search_add_pattern(s, &a->offset, &here)) && search_request_pattern(s, &a->base, &here);
}

void search_write_mad(const struct search *s, struct making *m, const struct mad *a)
{
	m->make = a->factors || a->offsets ? MAKE_MAD : MAKE_MOV_INPUT;
	m->base = a->base;
	m->factor = a->factors ? a->factor : search_empty_mad(s).factor;
	m->offset = a->offsets ? a->offset : search_empty_mad(s).offset;
	m->offset_rides = a->offset_rides;
}

bool search_make_mad(struct search *s, const struct pattern *p, int i)
{
	struct mad a = search_empty_mad(s);
	uint8_t kind;
	if (!pattern_kind(s->values, p, &kind))
		return false;
	EACH_LANE(k, p->positions) {
		const struct relations *r = search_relations(s, p->value[k]);
		if (!r->n)
			return false;
		search_add_to_mad(s, &a, k, &r->at[0]);
	}
	if ((!a.factors && !a.offsets) || !search_request_mad(s, &a))
		return false;
	search_write_mad(s, search_new_making(s, p, MAKE_MAD, i), &a);
	return true;
}

bool search_may_make(struct search *s, const struct pattern *p, enum make make)
{
	bool all = make == MAKE_OPEN || make == MAKE_MOV_CONST;
	for (unsigned k = 0; k < LANES && all; k++) {
		if (!(p->positions >> k & 1))
			continue;
		bool may = make == MAKE_MOV_CONST && is_in_constants(s, p->value[k]);
		const struct relations *r = make == MAKE_OPEN ? search_relations(s, p->value[k]) : NULL;
		for (unsigned j = 0; r && j < r->n && !may; j++)
			may = search_delivers(s, &(struct pattern){.positions = MASK_X, .value = {r->at[j].base}});
		all = may || (r && r->by_app.base != NO_VALUE);
	}
	return all;
}
