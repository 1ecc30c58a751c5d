/* Drives -O2 and -O3: collects results by plans and by the method of -O1, and the pairs as given, and takes the best of them, for one pair or
 * for several that share a program. */
#include "base/profile.h"
#include "lang/rounding.h"
#include "move/candidates.h"
#include "move/graph/free_constants.h"
#include "move/optimise.h"
#include "move/rules/rules.h"
#include "move/story.h"
#include "move/variants.h"

#include <string.h>

/* Returns results with the pairs as given, with the verdict that it does not pay for what could have moved. */
static struct move_result **unchanged(struct values *v, const struct group *g)
{
	struct move_result **all = group_results(v->arena, g);
	for (unsigned i = 0; i < group_pairs(g); i++) {
		struct move_result *r = all[i] = arena_zero(v->arena, sizeof *r);
		values_turn(v, g->nps > 1 ? i : 0);
		r->vs = group_has_shared(g, i, STAGE_VERTEX) ? all[0]->vs : program_copy(v->arena, group_vs(g, i));
		r->ps = group_has_shared(g, i, STAGE_PIXEL) ? all[0]->ps : program_copy(v->arena, v->ps);
		r->fates = arena_zero(v->arena, (v->ps->instrs.n + 1) * sizeof *r->fates);
		for (uint32_t k = 0; k < v->ps->instrs.n; k++)
			explain_stay(v, g->options, k, instr_writes(&v->ps->instrs.at[k]), &r->fates[k]);
	}
	return all;
}

/* Returns for each pair whether float arithmetic rounds a sum in it; below -O3 always false, since tidying asks for it only at -O3. */
static const bool *which_round(struct arena *arena, const struct group *g)
{
	bool *rounds = arena_alloc(arena, group_pairs(g) * sizeof *rounds);
	for (unsigned i = 0; i < group_pairs(g); i++)
		rounds[i] = g->options->level >= 3 && rounding_any(group_vs(g, i), group_ps(g, i));
	return rounds;
}

/* Notes in the results, for the report, how near the best plan, before tidying, is to the bound of all searches.  The gap is 0 (not known) if
 * no bound was found, or if the gap is no smaller than the time of the results. */
static void note_searches(struct move_result **all, const struct planning *planning, const struct group *g)
{
	uint64_t const unit = target_unit(&g->options->target), over = planning->least - planning->bound;
	bool const optimal = planning->least <= planning->bound;
	uint64_t const gap = (over + unit - 1) / unit;
	bool const known = planning->bound && gap < move_time(g, all) / unit;
	for (unsigned i = 0; i < group_pairs(g); i++) {
		all[i]->nodes = planning->nodes;
		all[i]->optimal = optimal;
		all[i]->gap = optimal || !known ? 0 : (unsigned)gap;
	}
}

/* Returns true if some value stays in the FP, or is not written in another way, because its last bits matter. */
static bool has_ties(const struct values *v)
{
	bool any = v->careful;
	for (uint32_t id = 0; id < v->all.n && !any; id++)
		any = value_at(v, id)->tied || value_at(v, id)->rounds;
	return any;
}

/* Returns true if moving the result of a single pair again, with slots as the target, finds nothing as a rule: its FP was written in one way,
 * whose plans were all seen; the method of -O1 moves no more; tidying saved nothing; no value is tied or rounds; and the VP had a constant
 * register left. */
static bool is_final(const struct planning *planning, const struct group *g, struct move_result *const *all)
{
	const struct move_options *o = g->options;
	struct register_set const taken = constants_taken(group_vs(g, 0), o->budget.vs_consts_given);
	return group_pairs(g) == 1 && target_is_slots(&o->target) && planning->ways.n == 1 && all[0]->optimal && !all[0]->left_by_plan &&
	       move_time(g, all) == planning->least && constants_last_free(&taken, o->budget.vs_consts) >= 0 && !has_ties(planning->given);
}

/* Notes in each of the best results whether the method of -O1 moves an instruction that it keeps. */
static void note_left_by_plan(struct move_result **best, struct move_result *const *by_paper, const struct group *g)
{
	for (unsigned i = 0; i < group_pairs(g); i++)
		for (uint32_t k = 0; k < group_ps(g, i)->instrs.n; k++)
			best[i]->left_by_plan |= by_paper[i]->fates[k].verdict == MOVE_MOVED && best[i]->fates[k].verdict != MOVE_MOVED;
}

/* Gives every result of the group a pointer to one copy of the story (how the planner came to them). */
static void note_story(struct arena *arena, struct move_result **all, const struct group *g, const struct story *story)
{
	const struct story *one = (const struct story *)(void *)arena_copy(arena, story, sizeof *story);
	for (unsigned i = 0; i < group_pairs(g); i++)
		all[i]->story = one;
}

enum {
	SHARE_OF_MANY = 4 /* at -O3, which plans the FP in many variants, each search but the first gets the effort divided by this */
};

/* An aim of the searches: the least time by a target, with the alternatives of a level. */
struct aim {
	struct group group; /* the given group, with the target and the level of this aim as its options */
	bool own;           /* its target is that of the options, so that its searches tell how good the result is */
	uint64_t least;     /* time of the best plan so far, before tidying; UINT64_MAX if there is none */
};
/* All aims: the options' target, at their level and, unless options->faster, each lower one from 2 on; then each of options->several except
 * slots, at the options' level. */
struct aims {
	struct aim at[TARGETS + 2];
	unsigned n;
};

static void add_aim(struct arena *arena, const struct group *g, const struct target *t, int level, struct aims *to)
{
	struct move_options *options = arena_alloc(arena, g->nvs * sizeof *options);
	for (unsigned k = 0; k < g->nvs; k++) {
		options[k] = g->options[k];
		options[k].target = t ? *t : options[k].target;
		options[k].level = level;
	}
	struct aim *aim = &to->at[to->n++];
	*aim = (struct aim){*g, t == NULL, UINT64_MAX};
	aim->group.options = options;
}

static void find_aims(struct arena *arena, const struct group *g, struct aims *to)
{
	const struct move_options *o = g->options;
	to->n = 0;
	for (int level = o->level; level >= (o->faster ? o->level : 2); level--)
		add_aim(arena, g, NULL, level, to);
	for (unsigned k = 0; k < TARGETS; k++)
		if (o->several >> k & 1 && k != TARGET_SLOTS)
			add_aim(arena, g, &targets[k], o->level, to);
}

/* Searches for the best plan by an aim, and returns it, or NULL if none was found.  The plan may take a unit of time more than the best one so
 * far, since tidying may save a unit more. */
static struct planned *search_plan(struct values *v, struct planning *planning, struct aim *aim, uint64_t spare)
{
	const struct group *g = &aim->group;
	struct profile *const profile = g->options->profile;
	struct scope scope = {.most = aim->least, .effort = g->options->effort, .allowance = g->allowance, .spare = spare};
	if ((planning->searched || !aim->own) && g->options->level >= 3)
		scope.effort /= SHARE_OF_MANY;
	if (scope.most < UINT64_MAX)
		scope.most += target_unit(&g->options->target);
	profile_begin(profile, "search");
	struct planned *p = plan_search_all(v, g->vs, g->nvs, g->options, &scope);
	profile_nodes(profile, p ? p->result->nodes : 0);
	profile_end(profile);
	if (p && p->score.time < aim->least)
		aim->least = p->score.time;
	if (aim->own && !planning->searched)
		planning->nodes = p ? p->result->nodes : 0;
	if (aim->own && (!planning->searched || scope.bound < planning->bound))
		planning->bound = p || planning->searched ? scope.bound : 0;
	planning->searched |= aim->own;
	if (aim->own && aim->least < planning->least)
		planning->least = aim->least;
	return p;
}

/* Searches for the best plan for the FPs of `v`, which are those of the group (planning->given) or variants of them, and adds its result to
 * the candidates.  `spare` steps of the allowance are left for other variants. */
static void add_plan(struct values *v, struct planning *planning, const struct group *g, struct aim *aim, uint64_t spare,
                     struct candidates *to)
{
	struct values *given = planning->given;
	for (unsigned k = 0; k < g->nps; k++)
		v->numbering[k].given = g->ps[k];
	uint64_t const from = profile_now(g->options->profile);
	struct planned *p = search_plan(v, planning, aim, spare);
	uint32_t const way = planning->ways.n;
	const struct sites *sites = v->numbering->sites;
	VEC_PUSH(v->arena, &planning->ways) = (struct way_tried){
		.ps = v->numbering->ps, .sites = sites && sites->n ? sites : NULL, .time = profile_now(g->options->profile) - from};
	if (!p)
		return;
	struct move_result **all = group_results(v->arena, g);
	for (unsigned i = 0; i < group_pairs(g); i++) {
		unsigned k = g->nps > 1 ? i : 0;
		all[i] = &p->result[i];
		values_turn(v, k);
		values_turn(given, k);
		explain_all(v, p->plan[k].mask, given, g->options, all[i]);
	}
	note_story(v->arena, all, g, &(struct story){.planning = planning, .way = way, .values = v, .plan = p->plan});
	planning->ways.at[way].found = all[0];
	candidates_add(v->arena, g, all, to);
}

enum {
	PAIR_STEPS = 10000, /* steps of the allowance charged for numbering, tidying and explaining one pair of a variant */
	WAYS_AHEAD = 4      /* a variant may spend a quarter of the steps left, or if fewer than 4 variants are left, its equal share */
};

/* Charges the group's allowance for planning another variant.  Returns true if steps are left for that. */
static bool begin_way(const struct group *g)
{
	struct allowance *a = g->allowance;
	uint64_t const steps = (uint64_t)group_pairs(g) * PAIR_STEPS;
	if (a)
		a->left -= steps < a->left ? steps : a->left;
	return !a || a->left > a->later;
}

/* Returns the steps of the allowance that planning a variant must leave for others; `ways` variants are left, including this one.  The first
 * variants mostly gain most, and may spend most. */
static uint64_t kept_for_others(const struct allowance *a, unsigned ways)
{
	return a ? a->left - (a->left - a->later) / (ways < WAYS_AHEAD ? ways : WAYS_AHEAD) : 0;
}

/* Adds the best plan by an aim for each variant of the FPs to the candidates.  The first variant is also planned without alternatives, as
 * tidying saves more with some register numbers than with others.  A target that charges for scalars skips variants 1 to joined_from - 1.
 * Only steps spent for the options' own target reduce the group's allowance. */
static void search_by(struct aim *aim, struct ways *ways, struct planning *planning, const struct group *g, struct candidates *to)
{
	struct allowance own;
	const struct move_options *o = aim->group.options;
	if (g->allowance) {
		own = *g->allowance;
		aim->group.allowance = &own;
	}
	unsigned const n = o->level >= 3 ? ways->n : ways->joined_from;
	for (unsigned k = 0; k < n && begin_way(&aim->group); k++) {
		if (o->target.varying && k > 0 && k < ways->joined_from)
			continue;
		struct values *v = ways_values(ways, g, planning->given->arena, k);
		uint64_t const spare = kept_for_others(aim->group.allowance, n - k);
		if (k == 0)
			add_plan(v, planning, g, aim, spare, to);
		struct values *all = rules_extend(v, &aim->group);
		if (k > 0 || all)
			add_plan(all ? all : v, planning, g, aim, spare, to);
	}
	if (g->allowance && aim->own)
		*g->allowance = own;
}

/* Returns the time of all pairs by the weights of the target, as the search counts it. */
static uint64_t search_time(const struct group *g, struct move_result *const *all)
{
	uint64_t sum = 0;
	for (unsigned i = 0; i < group_pairs(g); i++)
		sum += target_pair(&g->options->target, all[i]->vs, all[i]->ps, g->options->pixels_per_vertex);
	return sum;
}

/* Returns the time that a plan must not exceed: with options->faster a unit less than that of the given pair, else that of the best candidate
 * so far, as the search counts it.  With slots as the target, it is UINT64_MAX, since tidying may save much more of one plan than of another. */
static uint64_t least_so_far(const struct group *g, const struct candidates *from)
{
	const struct move_options *o = g->options;
	if (o->faster)
		return from->at[0].time - target_unit(&o->target);
	if (target_is_slots(&o->target))
		return UINT64_MAX;
	uint64_t least = UINT64_MAX;
	for (uint32_t c = 0; c < from->n; c++) {
		uint64_t const time = from->at[c].fits ? search_time(g, from->at[c].all) : UINT64_MAX;
		least = time < least ? time : least;
	}
	return least / g->nvs;
}

struct moving {
	struct arena *arena;
	struct group group;
	struct move_options *options; /* the options of the group, one for each VP */
	struct values *values;        /* the values of the group's FPs; NULL if these are moved by the method of -O1 alone */
	struct ways ways;             /* the variants of the group's FPs, which are planned one after the other */
	struct move_result **by_paper; /* the results by the method of -O1; NULL until they are wanted */
	bool staged;                  /* max_moves or ps_slots of the options ask for the method of -O1 */
};

/* Returns copies of the results, but not of their programs. */
static struct move_result **copy_results(struct arena *arena, const struct group *g, struct move_result *const *from)
{
	struct move_result **all = group_results(arena, g);
	for (unsigned i = 0; i < group_pairs(g); i++)
		all[i] = (struct move_result *)(void *)arena_copy(arena, from[i], sizeof *from[i]);
	return all;
}

/* Returns the results by the method of -O1, which it finds at the first call.  They have no story. */
static struct move_result **results_by_paper(struct moving *m)
{
	if (m->by_paper)
		return m->by_paper;
	m->by_paper = group_results(m->arena, &m->group);
	profile_begin(m->options->profile, "method of -O1");
	paper_together(m->arena, &m->group, m->by_paper);
	profile_end(m->options->profile);
	return m->by_paper;
}

/* Adds the results by the method of -O1 to the candidates, and returns them. */
static struct move_result **add_paper(struct moving *m, const struct planning *planning, const struct group *g, struct candidates *to)
{
	struct move_result **all = copy_results(m->arena, g, results_by_paper(m));
	note_story(m->arena, all, g, &(struct story){.planning = planning});
	candidates_add(m->arena, g, all, to);
	return all;
}

/* Returns the sum of the slots of the instructions that leave the FP of pair 0. */
static unsigned slots_moved(const struct group *g, const struct move_result *r)
{
	unsigned n = 0;
	for (uint32_t k = 0; k < g->ps[0]->instrs.n; k++)
		n += r->fates[k].verdict == MOVE_MOVED ? instr_slots(&g->ps[0]->instrs.at[k], g->ps[0]->model) : 0;
	return n;
}

/* Returns true if the searches saw all that the method of -O1 moves: they saw all plans of one pair for fewest slots, in which no value
 * is tied, and no colour moves. */
static bool plans_hold_all(const struct group *g, const struct planning *planning)
{
	const struct move_options *o = g->options;
	return target_is_slots(&o->target) && group_pairs(g) == 1 && !o->colour_inputs && planning->least <= planning->bound &&
	       !has_ties(planning->given);
}

/* Returns true if the method of -O1 may be better than all plans.  If these hold all that it moves, it can only take as long as the best one,
 * with fewer dependent reads in a row or a shorter VP, which is rare unless that plan moves much more than it saves. */
static bool may_gain_by_paper(const struct group *g, const struct planning *planning, const struct candidates *plans)
{
	enum { MOVED_FOR_SAVED = 2 };
	bool may = !plans_hold_all(g, planning);
	for (uint32_t k = 1; k < plans->n && !may; k++) {
		const struct move_result *r = plans->at[k].all[0];
		unsigned const slots = program_total_slots(r->ps), given = program_total_slots(g->ps[0]);
		may = plans->at[k].time <= planning->least &&
		      (program_dependent_reads(r->ps) > 1 || slots_moved(g, r) + MOVED_FOR_SAVED * slots > MOVED_FOR_SAVED * given);
	}
	return may;
}

/* Chooses among candidates, in this order:
 *   1. the pair as it is;
 *   2. for a target, or of several pairs, the pair by the method of -O1, whose time bounds the searches;
 *   3. for each aim a plan for the FP as given, settled (variants.c);
 *   4. a plan for that FP with the alternatives that rules write for its instructions (rules.c);
 *   5. for each other way to write the FP (variants.c): a plan with its alternatives;
 *   6. the pair by the method of -O1, if it is none of these and may be better.  With --preshader it stands here, too, since the method
 *      leaves to the VP what the application can compute.
 * A plan goes through values_number_all, plan_search_all and explain_all, in this order.  The time of `known`, results for fewest slots,
 * bounds the search.  Only a result that takes longer than these is moved again, as a rule: the search found too little. */
static struct move_result **optimise(struct moving *m, const struct group *g, struct move_result **known)
{
	struct arena *arena = m->arena;
	const struct move_options *o = g->options;
	struct planning *planning = arena_zero(arena, sizeof *planning);
	struct candidates candidates = {0};
	planning->given = m->values;
	planning->least = UINT64_MAX;
	planning->rounds = which_round(arena, g);
	struct move_result **as_given = unchanged(m->values, g), **by_paper = NULL;
	note_story(arena, as_given, g, &(struct story){.planning = planning});
	candidates_add(arena, g, as_given, &candidates);
	bool const wanted = (!o->faster || o->paper_too) && !o->vp_stays, first = !o->preshader && !(target_is_slots(&o->target) && group_pairs(g) == 1);
	if (wanted && first)
		by_paper = add_paper(m, planning, g, &candidates);
	uint64_t least = least_so_far(g, &candidates);
	/* The weights of R300 only guide the search: they are too coarse to limit plans by the time of a result that was tidied. */
	if (known && o->target.machine != MACHINE_R300 && move_fits(g, known) && search_time(g, known) / g->nvs < least)
		least = search_time(g, known) / g->nvs;
	struct aims aims;
	find_aims(arena, g, &aims);
	for (unsigned a = 0; a < aims.n; a++) {
		struct aim *aim = &aims.at[a];
		aim->least = aim->own ? least : UINT64_MAX;
		search_by(aim, &m->ways, planning, g, &candidates);
	}
	if (wanted && !first && may_gain_by_paper(g, planning, &candidates))
		by_paper = add_paper(m, planning, g, &candidates);
	struct move_result **best = candidates_best(&candidates, g, planning->rounds, arena);
	note_searches(best, planning, g);
	if (by_paper)
		note_left_by_plan(best, by_paper, g);
	best[0]->final = known ? move_time(g, best) <= move_time(g, known) : is_final(planning, g, best);
	return best;
}

/* Turns --preshader off, and numbers the values anew: where float arithmetic rounds sums, it would show that what the application computes
 * may be a digit off what the FP computes.  A literal that the application sets would also hide such a sum. */
static void drop_presets(struct moving *m)
{
	for (unsigned k = 0; k < m->group.nvs; k++)
		m->options[k].preshader = false;
	m->values = values_number_all(m->arena, m->group.vs, m->group.nvs, m->group.ps, m->group.nps, m->options);
}

struct moving *moving_begin(struct arena *arena, const struct group *g)
{
	const struct move_options *o = g->options;
	struct moving *m = arena_zero(arena, sizeof *m);
	m->arena = arena;
	m->group = *g;
	m->group.options = m->options = (struct move_options *)(void *)arena_copy(arena, o, g->nvs * sizeof *o);
	m->staged = o->ps_slots;
	for (unsigned k = 0; k < g->nps; k++)
		m->staged |= o->max_moves < g->ps[k]->instrs.n;
	if (o->level >= 2 && !m->staged) {
		m->values = values_number_all(arena, g->vs, g->nvs, g->ps, g->nps, o);
		if (m->values->careful && o->preshader)
			drop_presets(m);
		profile_begin(o->profile, "rules");
		ways_find(m->values, &m->group, &m->ways);
		profile_end(o->profile);
	}
	return m;
}

/* Returns the best results by a target, or by all of `several` targets.  `known` are the results for fewest slots, or NULL.  Below -O2, and with
 * max_moves or ps_slots, returns those of the method of -O1. */
static struct move_result **best_by(struct moving *m, const struct target *t, uint32_t several, struct move_result **known)
{
	struct group g = m->group;
	struct allowance allowance;
	struct move_options *options = (struct move_options *)(void *)arena_copy(m->arena, m->options, g.nvs * sizeof *options);
	g.options = options;
	for (unsigned k = 0; k < g.nvs; k++) {
		options[k].target = *t;
		options[k].several = several;
	}
	if (g.allowance && target_is_slots(t) && !target_is_slots(&m->options->target)) {
		allowance = *g.allowance;
		g.allowance = &allowance;
	}
	if (m->values)
		return optimise(m, &g, known);
	struct move_result **by_paper = results_by_paper(m);
	for (unsigned k = 0; k < group_pairs(&g); k++)
		by_paper[k]->staged = m->options->level >= 2;
	return by_paper;
}

struct move_result *moving_for_slots(struct moving *m)
{
	return *best_by(m, &targets[TARGET_SLOTS], 0, NULL);
}

struct move_result *moving_for_target(struct moving *m, struct move_result *known)
{
	return *best_by(m, &m->options->target, m->options->several, known ? &known : NULL);
}

/* Returns the better of the results by the target (`own`) and those for fewest slots (`known`).  The latter get the `optimal` and `gap` of the
 * former, as the search by the target tells how good a result is. */
static struct move_result **better_of(const struct group *g, struct move_result **own, struct move_result **known)
{
	if (!known || move_not_worse(g, own, known))
		return own;
	for (unsigned i = 0; i < group_pairs(g); i++) {
		known[i]->optimal = own[i]->optimal;
		known[i]->gap = own[i]->gap;
	}
	return known;
}

struct move_result *moving_better(const struct moving *m, struct move_result *own, struct move_result *known)
{
	return *better_of(&m->group, &own, known ? &known : NULL);
}

void move_together(struct arena *arena, const struct group *g, struct move_result **results)
{
	const struct move_options *o = g->options;
	struct moving *m = moving_begin(arena, g);
	bool const has_slots = o->level >= 2 && !target_is_slots(&o->target);
	struct move_result **known = has_slots ? best_by(m, &targets[TARGET_SLOTS], 0, NULL) : NULL;
	struct move_result **own = best_by(m, &o->target, o->several, known);
	memcpy(results, better_of(&m->group, own, known), group_pairs(g) * sizeof *results);
}

struct move_result *move_plan(struct arena *arena, const struct program *vs, const struct program *ps,
                              const struct move_options *options)
{
	struct group const g = {.vs = &vs, .ps = &ps, .nvs = 1, .nps = 1, .options = options};
	return moving_for_target(moving_begin(arena, &g), NULL);
}
