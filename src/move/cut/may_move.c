/* Finds which constant and affine values may move, besides the rules of graph/class.c: whether an interpolator can bring a value
 * (search_delivers), and which values nothing can bring, so that the instructions that compute them stay like those of pixel values
 * (search_find_stuck).  requires: values.
 *
 * A value that may ride by its class (value_rides) is not brought by an interpolator all the same if it needs a constant of the
 * application and the VP has no constant register left, or if judge.c found that the VP cannot compute it. */
#include "move/cut/search.h"

/* ---- what an interpolator can bring ---------------------------------------------------------- */

/* Returns true if the given VP, which stays as it is, sends the value or its opposite. */
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

/* How a constant depends on the constants that the application sets and no VP can have: BUILD_LITERAL, on none; BUILD_OF_ONE, on one, as that
 * times a literal plus a literal; BUILD_OTHER, in another way.  One new FP instruction can make the first two kinds, and affine values with
 * such coefficients, from existing constant registers.  The third kind needs a register that holds it already. */
enum build { BUILD_LITERAL, BUILD_OF_ONE, BUILD_OTHER };

struct built {
	uint8_t build; /* enum build */
	bool hashed;   /* the value is computed by a function other than sums and products, or from such a value */
	value_id of;   /* for BUILD_OF_ONE, the one constant that the application sets and no VP can have */
};

/* Returns how the constant `id` depends on those that no VP can have.  all[] holds the results for all values with lower ids, so for its
 * arguments. */
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
		bool const factors = k % 2 && x->op != CONST_ADD; /* the argument before and this one are multiplied */
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

/* Returns an array that marks the values which an FP reads from a constant register. */
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

/* Returns true if nothing but the FP's own instructions can bring the constant.  there[] marks those of the first `n` values that a constant
 * register holds. */
static bool constant_is_stuck(const struct search *s, value_id id, const struct built *b, const bool *there, uint32_t n)
{
	const struct value *x = value_at(s->values, id);
	bool const stays = search_needs_unavailable_const(s, x);
	if (x->wild || !stays || b->build != BUILD_OTHER || value_is_settable(x, s->facts.options->preshader))
		return x->wild;
	value_id const minus = value_find_negated(s->values, id);
	return !there[id] && (minus == NO_VALUE || minus >= n || !there[minus]);
}

/* Returns true if no new instruction can make the affine value: the coefficient of a term is stuck, or the constant summand is stuck and
 * computed by another function than sums and products. */
static bool terms_are_stuck(const struct values *v, const struct value *x, const struct built *all)
{
	bool stuck = all[x->constant].hashed && value_at(v, x->constant)->stuck;
	for (uint32_t t = 0; t < x->nterms; t++)
		stuck |= value_at(v, x->terms[t].coef)->stuck;
	return stuck;
}

/* Joins the constant of the application on which `b` depends with that in *of: NO_VALUE stands for none, MANY_VALUES for several. */
static void add_app_constant(value_id *of, const struct built *b)
{
	bool const other = b->build == BUILD_OTHER || (*of != NO_VALUE && *of != b->of);
	if (b->build != BUILD_LITERAL && *of != MANY_VALUES)
		*of = other ? MANY_VALUES : b->of;
}

void search_find_stuck(struct search *s)
{
	struct values *v = s->values;
	uint32_t const n = v->all.n;
	struct built *all = arena_zero(s->arena, n * sizeof *all);
	bool const *there = find_registers(s);
	value_id *of = s->facts.app_constant_of = arena_alloc(s->arena, n * sizeof *of);
	for (value_id id = 0; id < n; id++) { /* a value's arguments come before it */
		struct value *x = &v->all.at[id];
		of[id] = NO_VALUE;
		switch ((enum value_class)x->class) {
		case VALUE_CONST:
			all[id] = built_of(s, id, all);
			s->facts.app_stays |= search_needs_unavailable_const(s, x) && !s->facts.options->preshader;
			x->stuck = constant_is_stuck(s, id, &all[id], there, n);
			add_app_constant(&of[id], &all[id]);
			break;
		case VALUE_AFFINE:
			x->stuck = terms_are_stuck(v, x, all);
			add_app_constant(&of[id], &all[x->constant]);
			for (uint32_t t = 0; t < x->nterms; t++)
				add_app_constant(&of[id], &all[x->terms[t].coef]);
			break;
		case VALUE_PIXEL: break;
		}
	}
}
