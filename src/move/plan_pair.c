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

/* 1 / value in the first of the two fields; 0 for 0. */
static uint32_t inverse_of(struct search *s, value_id id)
{
	while (s->inverses.n <= id)
		VEC_PUSH(s->arena, &s->inverses) = 0;
	uint32_t *known = &s->inverses.at[id];
	if (*known == 0)
		*known = fingerprint_quotient(1, value_at(s->values, id)->print.a);
	return *known;
}

/* What can stand in a constant register beside the views: small factors, and those that the FP has. */
struct factors {
	uint32_t n;
	value_id id[4 * MOST_STEPS + PS_CONSTS * LANES];
	uint32_t print[4 * MOST_STEPS + PS_CONSTS * LANES];
	uint64_t some; /* bit set: of this remainder there are some */
};

static void add_factor(const struct search *s, struct factors *f, value_id id)
{
	uint32_t const print = value_at(s->values, id)->print.a;
	f->id[f->n] = id;
	f->print[f->n++] = print;
	f->some |= UINT64_C(1) << print % 64;
}

static void collect_factors(struct search *s, struct factors *f)
{
	f->n = 0;
	f->some = 0;
	if (!s->factors)
		find_factors(s);
	for (unsigned k = 0; k < 4 * MOST_STEPS; k++)
		add_factor(s, f, s->factor[k]);
	for (unsigned r = 0; r < PS_CONSTS; r++)
		for (unsigned l = 0; l < LANES; l++)
			if (s->plan.consts[r][l] != NO_VALUE)
				add_factor(s, f, s->plan.consts[r][l]);
}

/* The factor in want = base + step * factor, as the fingerprints have it. */
static value_id factor_for(struct search *s, const struct factors *f, value_id want, value_id base, value_id step)
{
	uint32_t const gap = fingerprint_minus(value_at(s->values, want)->print.a, 1, value_at(s->values, base)->print.a);
	uint32_t const over = gap ? inverse_of(s, step) : 0;
	if (over == 0)
		return NO_VALUE;
	uint32_t const factor = fingerprint_minus(0, fingerprint_minus(0, gap, 1), over);
	for (uint32_t k = 0; f->some >> factor % 64 & 1 && k < f->n; k++)
		if (f->print[k] == factor)
			return f->id[k];
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
                    const value_id factor[LANES], struct sum_of_views *sum)
{
	value_id const one = s->values->one, minus_one = value_negated(s->values, one);
	bool plain = true, opposite = true;
	for (unsigned k = 0; k < LANES; k++) {
		if (!(want->positions >> k & 1))
			continue;
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

/* Two views of register r, that it shows already; as search_make_pair(). */
static bool two_views(struct search *s, const struct pattern *p, const struct factors *f, unsigned r, unsigned *choice,
                      struct sum_of_views *sum)
{
	struct pattern const views = {.reach = REACH_ANY, .positions = p->positions};
	const value_id *lane = s->plan.layout.lane[r];
	value_id factor[LANES][LANES][LANES]; /* of each position, for each two lanes */
	for (unsigned k = 0; k < LANES; k++) {
		bool any = false;
		if (!(p->positions >> k & 1))
			continue;
		for (unsigned b = 0; b < LANES; b++) {
			for (unsigned d = 0; d < LANES; d++) {
				bool there = value_is_movable(s->values, lane[b]) && value_is_movable(s->values, lane[d]);
				factor[k][b][d] = there ? factor_for(s, f, p->value[k], lane[b], lane[d]) : NO_VALUE;
				any |= factor[k][b][d] != NO_VALUE;
			}
		}
		if (!any)
			return false;
	}
	for (unsigned b = 0; b < PATTERN_WAYS; b++) {
		for (unsigned d = 0; d < PATTERN_WAYS; d++) {
			struct way base_way, step_way;
			value_id base[LANES], step[LANES], with[LANES];
			bool all = d != b && pattern_way(&views, b, &base_way) && pattern_way(&views, d, &step_way);
			for (unsigned k = 0; all && k < LANES; k++) {
				if (!(p->positions >> k & 1))
					continue;
				unsigned const from = swizzle_lane(base_way.swizzle, k), by = swizzle_lane(step_way.swizzle, k);
				base[k] = lane[from];
				step[k] = lane[by];
				with[k] = factor[k][from][by];
				all = with[k] != NO_VALUE;
			}
			if (all && combine(s, p, base, step, with, sum) && (*choice)-- == 0)
				return true;
		}
	}
	return false;
}

/* `choice` counts the ways through; false with `*more`: not this one, try the next. */
bool search_make_pair(struct search *s, const struct pattern *p, int i, unsigned choice, bool *more)
{
	struct factors factors;
	struct sum_of_views sum;
	*more = true;
	collect_factors(s, &factors);
	for (unsigned r = 0; r < INTERPOLATORS; r++)
		if (two_views(s, p, &factors, r, &choice, &sum))
			return ask(s, p, &sum, i);
	for (unsigned steps = 1; steps <= MOST_STEPS; steps++) {
		value_id const part = s->factor[4 * (steps - 1) + 2];
		for (unsigned r = 0; r < INTERPOLATORS; r++) {
			value_id base[LANES], step[LANES], factor[LANES];
			bool all = view_of(s, r, (struct way){SWIZZLE_XYZW, false}, p->positions, base);
			for (unsigned k = 0; k < LANES && all; k++) {
				if (!(p->positions >> k & 1))
					continue;
				value_id gap = value_sum(s->values, p->value[k], value_negated(s->values, base[k]));
				step[k] = gap == NO_VALUE || gap == s->values->zero ? NO_VALUE : value_product(s->values, gap, part);
				factor[k] = s->factor[4 * (steps - 1)];
				all = step[k] != NO_VALUE;
			}
			if (all && combine(s, p, base, step, factor, &sum) && choice-- == 0)
				return ask(s, p, &sum, i);
		}
	}
	*more = false;
	return false;
}
