/* One instruction that reads one interpolator twice, for the planner's search: base + factor * step, where
 * base and step are two views of a register, such as (u, v) and (du, dv) in `add r.xy, t0, t0.wzyx`, and
 * the factor is 1, -1 or in a constant register.  A register that carries a coordinate and a step so
 * serves a whole line of coordinates, and one that carries two of a line the others.  Tried where
 * interpolators carry such views already, then where the base is there and the step still finds room. */
#include "move/search.h"

/* The values that a register shows in a way, if it has them all. */
static bool view_of(const struct search *s, unsigned r, struct way way, lanes positions, value_id value[LANES])
{
	for (unsigned k = 0; k < LANES; k++) {
		value[k] = positions >> k & 1 ? s->plan.layout.lane[r][swizzle_lane(way.swizzle, k)] : NO_VALUE;
		if (positions >> k & 1 && !value_is_movable(s->values, value[k]))
			return false;
	}
	return true;
}

/* Whole numbers of steps, and whole parts of one. */
static void find_factors(struct search *s)
{
	for (unsigned k = 0; k < MOST_STEPS; k++) {
		value_id const some = value_of_literal(s->values, (float)(k + 1));
		s->factor[4 * k] = some;
		s->factor[4 * k + 1] = value_negated(s->values, some);
		s->factor[4 * k + 2] = value_make(s->values, CONST_RCP, &some, 1);
		s->factor[4 * k + 3] = value_negated(s->values, s->factor[4 * k + 2]);
	}
	s->factors = true;
}

static bool is_product(const struct search *s, uint32_t gap, uint32_t step, value_id factor)
{
	return fingerprint_minus(gap, step, value_at(s->values, factor)->print.a) == 0;
}

/* The factor in gap = step * factor, if it is a small one or one that the FP has in a constant register. */
static value_id factor_for(const struct search *s, uint32_t gap, uint32_t step)
{
	if (gap == 0 || step == 0)
		return NO_VALUE;
	for (unsigned k = 0; k < 4 * MOST_STEPS; k++)
		if (is_product(s, gap, step, s->factor[k]))
			return s->factor[k];
	for (unsigned r = 0; r < PS_CONSTS; r++)
		for (unsigned l = 0; l < LANES; l++)
			if (s->plan.consts[r][l] != NO_VALUE && is_product(s, gap, step, s->plan.consts[r][l]))
				return s->plan.consts[r][l];
	return NO_VALUE;
}

struct sum_of_views {
	struct pattern base, step, factor; /* a factor without positions is left out; a sign is in the step */
};

static void set(struct search *s, struct pattern *p, unsigned k, value_id id)
{
	value_negated(s->values, id); /* so that it is known what its opposite is */
	search_set_lane(s->values, p, k, id);
}

/* want = base + factor * step in all positions; exact, after the fingerprints' first look. */
static bool combine(struct search *s, const struct pattern *want, const value_id base[LANES], const value_id step[LANES],
                    struct sum_of_views *sum)
{
	value_id const one = s->values->one, minus_one = value_negated(s->values, one);
	value_id factor[LANES];
	bool plain = true, opposite = true;
	for (unsigned k = 0; k < LANES; k++) {
		if (!(want->positions >> k & 1))
			continue;
		uint32_t gap = fingerprint_minus(value_at(s->values, want->value[k])->print.a, 1,
		                                 value_at(s->values, base[k])->print.a);
		factor[k] = factor_for(s, gap, value_at(s->values, step[k])->print.a);
		if (factor[k] == NO_VALUE)
			return false;
		plain &= factor[k] == one;
		opposite &= factor[k] == minus_one;
	}
	*sum = (struct sum_of_views){{.reach = REACH_ANY}, {.reach = REACH_ANY}, {.reach = REACH_ANY}};
	for (unsigned k = 0; k < LANES; k++) {
		if (!(want->positions >> k & 1))
			continue;
		value_id part = value_product(s->values, step[k], factor[k]);
		if (part == NO_VALUE || value_sum(s->values, base[k], part) != want->value[k])
			return false;
		set(s, &sum->base, k, base[k]);
		set(s, &sum->step, k, opposite ? part : step[k]);
		if (!plain && !opposite)
			search_set_lane(s->values, &sum->factor, k, factor[k]);
	}
	return true;
}

static bool ask(struct search *s, const struct pattern *want, const struct sum_of_views *sum, int i)
{
	struct request here = {.n = 0};
	if (sum->factor.positions && search_const_register(s, &sum->factor, 1, -1) < 0)
		return false;
	if (!search_ask(s, &sum->base, &here) || !search_ask(s, &sum->step, &here))
		return false;
	struct making *m = search_new_making(s, want, MAKE_PAIR, i);
	m->base = sum->base;
	m->step = sum->step;
	m->factor = sum->factor;
	return true;
}

/* `choice` counts the ways through; false with `*more`: not this one, try the next. */
bool search_make_pair(struct search *s, const struct pattern *p, int i, unsigned choice, bool *more)
{
	struct pattern const views = {.reach = REACH_ANY, .positions = p->positions};
	struct way base_way, step_way;
	value_id base[LANES], step[LANES];
	struct sum_of_views sum;
	*more = true;
	if (!s->factors)
		find_factors(s);
	for (unsigned r = 0; r < INTERPOLATORS; r++)
		for (unsigned b = 0; b < PATTERN_WAYS && pattern_way(&views, b, &base_way); b++)
			for (unsigned d = 0; view_of(s, r, base_way, p->positions, base) && d < PATTERN_WAYS &&
			                     pattern_way(&views, d, &step_way); d++)
				if (d != b && view_of(s, r, step_way, p->positions, step) && combine(s, p, base, step, &sum) && choice-- == 0)
					return ask(s, p, &sum, i);
	for (unsigned steps = 1; steps <= MOST_STEPS; steps++) {
		value_id const part = s->factor[4 * (steps - 1) + 2];
		for (unsigned r = 0; r < INTERPOLATORS; r++) {
			if (!view_of(s, r, (struct way){SWIZZLE_XYZW, false}, p->positions, base))
				continue;
			bool all = true;
			for (unsigned k = 0; k < LANES && all; k++) {
				if (!(p->positions >> k & 1))
					continue;
				value_id gap = value_sum(s->values, p->value[k], value_negated(s->values, base[k]));
				step[k] = gap == NO_VALUE || gap == s->values->zero ? NO_VALUE : value_product(s->values, gap, part);
				all = step[k] != NO_VALUE;
			}
			if (all && combine(s, p, base, step, &sum) && choice-- == 0)
				return ask(s, p, &sum, i);
		}
	}
	*more = false;
	return false;
}
