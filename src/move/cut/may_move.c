/* Which constant and affine values may move, beside what graph/class.c says: whether a plan may have an interpolator bring a value
 * (search_delivers), and which values nothing at all can bring, so that what computes them stays as what computes pixel values
 * does (search_find_stuck).  requires: values.
 *
 * Of what rides by its class (value_rides) an interpolator does not bring what the application sets where the VP has no constant
 * register left, and what judge.c saw that the VP cannot compute. */
#include "move/cut/search.h"


/* ---- what an interpolator can bring ---------------------------------------------------------- */

/* Returns true if an interpolator brings the value, or its opposite, where the VP stays. */
static bool is_brought(const struct search *s, value_id id)
{
	value_id const minus = value_find_negated(s->values, id);
	bool brought = false;
	for (unsigned reg = 0; reg < INTERPOLATORS && !brought; reg++)
		for (unsigned k = 0; k < LANES; k++)
			brought |= s->facts.start.lane[reg][k] == id || (minus != NO_VALUE && s->facts.start.lane[reg][k] == minus);
	return brought;
}

static bool delivers_value(const struct search *s, value_id id)
{
	if (s->facts.options->vp_stays && !is_brought(s, id))
		return false;
	const struct value *x = value_at(s->values, id);
	for (unsigned n = 0; n < s->seen.nundelivered; n++)
		if (s->seen.undelivered[n] == id)
			return false;
	return !(s->facts.vs_full && x->app) && value_rides(s->values, id, s->facts.options);
}

bool search_delivers_as(const struct search *s, const struct pattern *p, uint8_t *kind)
{
	bool all = pattern_kind(s->values, p, kind);
	EACH_LANE(k, p->positions)
		all = all && delivers_value(s, p->value[k]);
	return all;
}

bool search_delivers(const struct search *s, const struct pattern *p)
{
	uint8_t kind;
	return search_delivers_as(s, p, &kind);
}

bool search_coord_rides(const struct search *s, value_id x, value_id y)
{
	return search_delivers(s, &(struct pattern){.positions = MASK_XY, .value = {x, y}});
}

/* ---- what nothing can bring ------------------------------------------------------------------- */

bool search_needs_unavailable_const(const struct search *s, const struct value *x)
{
	return s->facts.vs_full ? x->app : is_refused(s->facts.options, x->withheld, x->app);
}

/* How a constant hangs on those that the application sets: not at all; on one of them, as that times a literal plus a literal;
 * or otherwise.  Where no VP can have these, one new instruction of the FP makes the first two, and what is affine by them, of
 * constant registers that are there; the last only if such a register is it. */
enum build { BUILD_LITERAL, BUILD_OF_ONE, BUILD_OTHER };

struct built {
	uint8_t build; /* enum build */
	bool hashed;   /* a function that is no sum or product is part of it */
	value_id of;   /* BUILD_OF_ONE */
};

static struct built built_of(const struct search *s, value_id id, const struct built *all)
{
	const struct value *x = value_at(s->values, id);
	struct built b = {.hashed = x->op > CONST_DP4 || x->wild};
	if (!search_needs_unavailable_const(s, x) && !x->wild)
		return (struct built){.build = BUILD_LITERAL};
	if (x->op == CONST_RAW)
		return (struct built){.build = BUILD_OF_ONE, .of = id};
	for (unsigned k = 0; k < x->nargs; k++) {
		const struct built *arg = &all[x->args[k]];
		bool const factors = k % 2 && x->op != CONST_ADD; /* the one before and this */
		if (arg->build == BUILD_LITERAL)
			continue;
		bool const of_one = arg->build == BUILD_OF_ONE && (b.build == BUILD_LITERAL || b.of == arg->of) &&
		                    !(factors && all[x->args[k - 1]].build != BUILD_LITERAL);
		b.build = of_one && b.build != BUILD_OTHER ? BUILD_OF_ONE : BUILD_OTHER;
		b.of = arg->of;
		b.hashed |= arg->hashed;
	}
	if (b.hashed)
		b.build = BUILD_OTHER;
	return b;
}

/* Constants that an FP reads from a register. */
static bool *find_registers(struct search *s)
{
	const struct values *v = s->values;
	bool *there = arena_zero(s->arena, v->all.n);
	for (unsigned k = 0; k < v->programs; k++) {
		const struct program *ps = v->numbering[k].ps;
		for (uint32_t i = 0; i < ps->instrs.n; i++)
			EACH_SOURCE(o, &ps->instrs.at[i])
				for (unsigned p = 0; ps->instrs.at[i].src[o].file == REG_CONST && p < LANES; p++)
					if (v->numbering[k].use[i][o].value[p] != NO_VALUE)
						there[v->numbering[k].use[i][o].value[p]] = true;
	}
	return there;
}

/* `n`: of so many it is known whether they are in a register. */
static bool constant_is_stuck(const struct search *s, value_id id, const struct built *b, const bool *there, uint32_t n)
{
	const struct value *x = value_at(s->values, id);
	bool const stays = search_needs_unavailable_const(s, x);
	if (x->wild || !stays || b->build != BUILD_OTHER || value_is_settable(x, s->facts.options->preshader))
		return x->wild;
	value_id const minus = value_find_negated(s->values, id);
	return !there[id] && (minus == NO_VALUE || minus >= n || !there[minus]);
}

/* One instruction makes base * a + b, or base + a * step, with lanes a and b of constants that are there. */
static bool terms_are_stuck(const struct values *v, const struct value *x, const struct built *all)
{
	bool stuck = all[x->constant].hashed && value_at(v, x->constant)->stuck;
	for (uint32_t t = 0; t < x->nterms; t++)
		stuck |= value_at(v, x->terms[t].coef)->stuck;
	return stuck;
}

/* Adds a constant, times a literal or an input. */
static void add_to_line(value_id *line, const struct built *b)
{
	bool const other = b->build == BUILD_OTHER || (*line != NO_VALUE && *line != b->of);
	if (b->build != BUILD_LITERAL && *line != MANY_VALUES)
		*line = other ? MANY_VALUES : b->of;
}

void search_find_stuck(struct search *s)
{
	struct values *v = s->values;
	uint32_t const n = v->all.n;
	struct built *all = arena_zero(s->arena, n * sizeof *all);
	bool const *there = find_registers(s);
	value_id *line = s->facts.app_constant_of = arena_alloc(s->arena, n * sizeof *line);
	for (value_id id = 0; id < n; id++) { /* what a value is made of comes before it */
		struct value *x = &v->all.at[id];
		line[id] = NO_VALUE;
		switch ((enum value_class)x->class) {
		case VALUE_CONST:
			all[id] = built_of(s, id, all);
			s->facts.app_stays |= search_needs_unavailable_const(s, x) && !s->facts.options->preshader;
			x->stuck = constant_is_stuck(s, id, &all[id], there, n);
			add_to_line(&line[id], &all[id]);
			break;
		case VALUE_AFFINE:
			x->stuck = terms_are_stuck(v, x, all);
			add_to_line(&line[id], &all[x->constant]);
			for (uint32_t t = 0; t < x->nterms; t++)
				add_to_line(&line[id], &all[x->terms[t].coef]);
			break;
		case VALUE_PIXEL: break;
		}
	}
}
