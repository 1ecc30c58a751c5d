/* Plans for one target or several, see aim.h. */
#include "pipeline.h"

#include <math.h>
#include <string.h>

bool aim_read(struct run_options *o, const char *names, const char **wrong, size_t *n)
{
	uint32_t set = 0, told = 0;
	for (const char *at = names;; at += *n + 1) {
		*wrong = at;
		*n = strcspn(at, ",");
		bool const all = *n == strlen("all") && strncmp(at, "all", *n) == 0;
		uint32_t const named = all ? ~(1u << TARGET_SLOTS) & ((1u << TARGETS) - 1) : targets_named(at, *n);
		if (!named)
			return false;
		set |= all ? 0 : named;
		told |= named;
		if (!at[*n])
			break;
	}
	o->several = set & (set - 1) ? set : 0;
	o->told = told & ~(1u << TARGET_SLOTS); /* slots are in every table */
	o->target_name = names;
	o->given &= ~(unsigned)GIVEN_TARGET;
	o->given |= set ? GIVEN_TARGET : 0;
	for (unsigned k = 0; k < TARGETS; k++)
		if (set == 1u << k)
			o->move.target = targets[k];
	return true;
}

struct target aim_joint(uint32_t set, struct pair p, unsigned pixels_per_vertex)
{
	uint64_t given[TARGETS];
	for (unsigned k = 0; k < TARGETS; k++) {
		struct target one = targets[k];
		one.overlap = 1;
		one.pixel = 0;
		given[k] = target_written(&one, p.vs, p.ps, pixels_per_vertex);
	}
	return target_joint(set, given);
}

static double share(uint64_t before, uint64_t after)
{
	return before ? (double)after / (double)before : after ? 2 : 1;
}

struct costs aim_shares(uint32_t set, struct pair before, struct pair after, unsigned pixels_per_vertex)
{
	double sum = 0;
	unsigned n = 0;
	for (unsigned k = 0; k < TARGETS; k++) {
		if (!(set >> k & 1))
			continue;
		sum += share(target_written(&targets[k], before.vs, before.ps, pixels_per_vertex),
		             target_written(&targets[k], after.vs, after.ps, pixels_per_vertex));
		n++;
	}
	return (struct costs){100, 100 * sum / n};
}

/* ---- the best of several plans ------------------------------------------------------------ */

struct aim {
	struct arena *arena;
	const struct group *group;
	uint32_t several;
	aim_planner *plan;
	void *who;
	struct move_result **best;
};

static uint64_t time_of_all(const struct aim *a, const struct target *t, struct move_result *const *all)
{
	uint64_t sum = 0;
	for (unsigned i = 0; i < group_pairs(a->group); i++) {
		const struct program *vs = all ? all[i]->vs : group_vs(a->group, i), *ps = all ? all[i]->ps : group_ps(a->group, i);
		sum += target_written(t, vs, ps, a->group->options->pixels_per_vertex);
	}
	return sum;
}

/* How many of several targets lose, and the sum of their shares. */
struct verdict_of_several {
	unsigned lose;
	double shares;
};

static struct verdict_of_several judge(const struct aim *a, struct move_result *const *all)
{
	struct verdict_of_several v = {0, 0};
	for (unsigned k = 0; k < TARGETS; k++) {
		if (!(a->several >> k & 1))
			continue;
		uint64_t const before = time_of_all(a, &targets[k], NULL), after = time_of_all(a, &targets[k], all);
		v.lose += after > before;
		v.shares += share(before, after);
	}
	return v;
}

static bool is_better(const struct aim *a, struct move_result *const *one, struct move_result *const *other)
{
	bool const fits = move_fits(a->group, one);
	if (!a->several || fits != move_fits(a->group, other))
		return !move_not_worse(a->group, other, one);
	struct verdict_of_several const x = judge(a, one), y = judge(a, other);
	return x.lose != y.lose ? x.lose < y.lose : x.shares < y.shares;
}

static bool take_better(struct aim *a, struct move_result **all)
{
	bool const better = !a->best || is_better(a, all, a->best);
	a->best = better ? all : a->best;
	return better;
}

static struct move_result **new_results(const struct aim *a)
{
	return arena_zero(a->arena, group_pairs(a->group) * sizeof(struct move_result *));
}

struct quality {
	bool optimal;
	unsigned gap;
};

/* Plans for the target, or for that of the options if `t` is NULL, at a level; returns how good the plan is known to be.  A plan that is
 * not the best so far leaves nothing in memory. */
static struct quality plan_for(struct aim *a, const struct target *t, int level)
{
	struct arena_mark const mark = arena_mark(a->arena);
	struct move_options *options = arena_alloc(a->arena, a->group->nvs * sizeof *options);
	struct move_result **all = new_results(a);
	for (unsigned k = 0; k < a->group->nvs; k++) {
		options[k] = a->group->options[k];
		options[k].target = t ? *t : options[k].target;
		options[k].level = level;
	}
	a->plan(a->who, options, all);
	struct quality const quality = {all[0]->optimal, all[0]->gap};
	if (!take_better(a, all))
		arena_release(a->arena, mark);
	return quality;
}

void aim_move(struct arena *arena, const struct group *g, uint32_t several, aim_planner *plan, void *who, struct move_result **results)
{
	struct aim a = {arena, g, several, plan, who, NULL};
	int const level = g->options->level;
	struct quality quality = plan_for(&a, NULL, level);
	bool const staged = a.best[0]->staged;
	for (int l = level; l >= 2 && !staged; l--) {
		struct quality const found = l < level ? plan_for(&a, NULL, l) : quality;
		quality.optimal &= found.optimal;
		quality.gap = found.gap > quality.gap ? found.gap : quality.gap;
		if (target_is_slots(&g->options->target))
			continue;
		plan_for(&a, &targets[TARGET_SLOTS], l);
		for (unsigned k = 0; k < TARGETS; k++)
			if (several >> k & 1 && k != TARGET_SLOTS)
				plan_for(&a, &targets[k], l);
	}
	if (several && level >= 2 && !staged) {
		struct move_result **none = new_results(&a);
		move_nothing(arena, g, none);
		take_better(&a, none);
	}
	memcpy(results, a.best, group_pairs(g) * sizeof *results);
	/* Of a plan for fewest slots, too, the search for the target tells how good it is by the target. */
	uint64_t const takes = time_of_all(&a, &g->options->target, results) / target_unit(&g->options->target);
	for (unsigned i = 0; !several && i < group_pairs(g); i++) {
		results[i]->optimal = quality.optimal;
		results[i]->gap = quality.gap < takes ? quality.gap : 0; /* a bound of nothing says nothing */
	}
}

/* ---- what a target makes of a pair --------------------------------------------------------- */

static double in_units(const struct target *t, uint64_t time)
{
	return (double)time / (double)target_unit(t);
}

/* Costs are those of run_costs, with a pixel's share of the vertices.  Where the new pair begins to pay goes by pixels alone. */
static struct estimate estimate(const struct target *t, struct pair before, struct pair after, unsigned pixels_per_vertex)
{
	struct costs const cost = {in_units(t, target_written(t, before.vs, before.ps, pixels_per_vertex)),
	                           in_units(t, target_written(t, after.vs, after.ps, pixels_per_vertex))};
	struct costs const pixel = {in_units(t, target_written_pixel(t, before.ps)), in_units(t, target_written_pixel(t, after.ps))};
	double const gain = pixel.before - pixel.after;
	double const pay = in_units(t, target_vertex(t, after.vs, after.ps)) - in_units(t, target_vertex(t, before.vs, before.ps));
	return (struct estimate){t, cost, pay <= 0 && gain >= 0 ? 0 : gain > 0 ? pay / gain : HUGE_VAL};
}

unsigned aim_estimates(const struct run *r, struct estimate to[TARGETS])
{
	unsigned const ratio = run_budgets(r).pixels_per_vertex;
	unsigned n = 0;
	for (unsigned k = 0; k < TARGETS; k++)
		if (r->options->told >> k & 1)
			to[n++] = estimate(&targets[k], (struct pair){r->vs, r->ps}, (struct pair){r->vs_new, r->ps_new}, ratio);
	return n;
}
