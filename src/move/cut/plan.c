/* Plans a group of FPs, mostly a single one, and their VPs: finds the best plan.  requires: values; builds: the programs.
 *
 * It makes one search after another while a better plan may exist: first each operand is supplied in the ways that are mostly best
 * (the simple search), then in all ways, the likely useful ones first (the wide search).  Several FPs are first planned each by
 * itself, which gives a bound of the time of each, and the order in which they should choose. */
#include "move/cut/search.h"

#include <limits.h>
#include <string.h>

/* Makes FP k the current one, and finds its facts. */
static void begin_fp(struct search *s, unsigned k)
{
	values_turn(s->values, k);
	uint32_t const n = s->values->ps->instrs.n;
	s->fp = &s->facts.fps[k];
	s->state.plan = &s->state.plans[k];
	s->state.plan->mask = arena_zero(s->arena, n + 1);
	s->state.plan->supply = arena_zero(s->arena, (n + 1) * sizeof *s->state.plan->supply);
	s->state.plan->which = arena_zero(s->arena, (n + 1) * sizeof *s->state.plan->which);
	s->state.demand = s->state.demands[k] = arena_zero(s->arena, n + 1);
	search_find_facts(s);
	s->fp->least = target_time(&s->facts.options->target, &s->fp->fixed);
	s->fp->most = target_pair(&s->facts.options->target, s->facts.vs[0], s->values->numbering[k].given, UINT_MAX);
}

static bool has_few_lanes(const struct search *s)
{
	unsigned n = 0;
	for (uint32_t i = 0; i < s->fp->ps->instrs.n; i++)
		EACH_LANE(lane, instr_writes(&s->fp->ps->instrs.at[i]))
			n += value_may_move(s->values, s->values->def[i][lane]);
	return s->facts.count == 1 && n <= FEW_LANES;
}

/* The wide search runs with these breadths in turn, until one with all arrangements comes to its end.  Mostly the first one does.  If not,
 * the second looks at the likely useful arrangements alone.  The third, which is for few movable lanes, looks at all of them again. */
static const struct breadth {
	bool arrangements;
	uint8_t share; /* the breadth may take all steps divided by this */
} breadths[] = {{true, 5}, {false, 1}, {true, 1}};
enum { BREADTHS = sizeof breadths / sizeof *breadths };

static void search_one_breadth(struct search *s, const struct breadth *b)
{
	s->effort.all_arrangements = b->arrangements;
	search_extend_part(s);
	for (uint32_t id = s->values->all.n; id-- > s->seen.opposites;)
		value_negated(s->values, id); /* so that operands may read interpolators that carry the opposite */
	s->seen.opposites = s->values->all.n;
	if (!s->seen.visited) {
		s->seen.visited = arena_alloc(s->arena, VISITS * sizeof *s->seen.visited);
		s->seen.unpacked = arena_zero(s->arena, REFUSALS * sizeof *s->seen.unpacked);
	}
	memset(s->seen.visited, 0, VISITS * sizeof *s->seen.visited);
	search_program(s);
	search_end_part(s);
}

/* Runs the wide search with one breadth after the other, until one that tries all arrangements comes to its end, or the best plan takes no more
 * time than `least`, below which there is no plan. */
static void search_breadths(struct search *s, uint32_t steps, uint64_t least)
{
	bool all = false;
	uint32_t left = steps;
	unsigned const last = s->effort.few_lanes ? BREADTHS : BREADTHS - 1;
	unsigned const first = s->facts.options->target.varying ? 1 : 0; /* all arrangements find and prove little for a target that charges for scalars */
	for (unsigned k = first; k < last && !all && steps && least < (s->best.plan ? s->best.plan->score.time : s->best.limit); k++) {
		const struct breadth *b = &breadths[k];
		bool const longer = s->effort.few_lanes && k + 1 == BREADTHS && steps < UINT32_MAX / FEW_MORE;
		uint32_t const most = longer ? steps * FEW_MORE : steps / b->share;
		uint32_t const share = s->effort.few_lanes || most < left ? most : left;
		s->effort.steps = share;
		s->effort.gave_up = false;
		s->effort.equals_left = 0;
		search_one_breadth(s, b);
		left -= s->effort.few_lanes ? 0 : share - s->effort.steps;
		all = !s->effort.gave_up && b->arrangements;
		s->effort.gave_up = !all;
	}
}

/* Returns the time of the given pairs of the FPs in s->facts.sequence: the sum over all pairs, divided by the number of VPs. */
static uint64_t time_as_it_is(const struct search *s)
{
	uint64_t time = 0;
	for (unsigned v = 0; v < s->facts.nvs; v++)
		for (unsigned j = 0; j < s->facts.count; j++)
			time += target_pair(&s->facts.options->target, s->facts.vs[v], s->values->numbering[s->facts.sequence[j]].given,
			                    s->facts.options->pixels_per_vertex);
	return time / s->facts.nvs;
}

/* Returns how many nodes the simple search, or a breadth of the wide one, may look at without finding a better plan. */
static uint32_t patience_of_part(const struct search *s)
{
	uint32_t instrs = 0;
	for (unsigned j = 0; j < s->facts.count; j++)
		instrs += s->values->numbering[s->facts.sequence[j]].ps->instrs.n;
	if (!s->facts.slots_only)
		return TARGET_PATIENCE + PATIENCE * instrs;
	return instrs > MANY_INSTRS ? PATIENCE * instrs : UINT32_MAX;
}

/* Searches for the best plan for the FPs in s->facts.sequence, and returns a time below which there is no plan. */
static uint64_t search_sequence(struct search *s, uint32_t effort)
{
	s->effort.most_leaves = s->facts.slots_only ? LEAVES : TARGET_LEAVES;
	s->effort.steps = effort > UINT32_MAX / STEPS_PER_NODE ? UINT32_MAX : effort * STEPS_PER_NODE;
	s->effort.leaf_steps = s->effort.steps;
	s->effort.most_nodes = s->effort.nodes > UINT32_MAX - effort ? UINT32_MAX : s->effort.nodes + effort;
	s->effort.patience = patience_of_part(s);
	s->effort.gave_up = false;
	s->effort.leaves = s->effort.equals_left = 0;
	s->state.work = (struct work){0};
	s->state.coords_riding = 0;
	s->effort.wide = false;
	s->state.requests.n = s->state.guards = s->state.refused.n = s->state.undeliverable = 0;
	for (unsigned j = s->facts.count; j-- > (s->effort.guarded ? 0 : 1);)
		search_add_guards(s, &s->facts.fps[s->facts.sequence[j]].guards);
	search_turn(s, 0);
	s->state.layout = s->facts.start;
	uint32_t steps = PACK_STEPS;
	if (!layout_pack(s->values, s->state.requests.at, s->state.requests.n, s->facts.options->budget.texcoords, &s->facts.start,
	                 &s->state.layout, &steps))
		s->effort.gave_up = true;
	s->state.own_from = s->state.requests.n;
	s->state.others_time = 0;
	for (unsigned j = 1; j < s->facts.count; j++)
		s->state.others_time += s->facts.fps[s->facts.sequence[j]].least;
	uint64_t const least = search_bound(s, (int)s->fp->ps->instrs.n - 1);
	search_extend_part(s);
	if (!s->effort.gave_up)
		search_program(s);
	search_end_part(s);
	/* The wide search rarely finds a better plan, so it comes last. */
	s->effort.wide = true;
	s->effort.few_lanes = has_few_lanes(s);
	search_breadths(s, s->effort.steps, least);
	/* With several FPs the guards exclude some plans, so that the best one found may not be the best. */
	return s->effort.gave_up || s->facts.count > 1 ? least : s->best.plan ? s->best.plan->score.time : s->best.limit;
}

/* Searches again after a search that gave up without a plan: late instructions may have taken the interpolators that early ones need, so
 * guards now keep room for the FP's requests as given.  Sets gave_up. */
static void search_guarded(struct search *s, uint32_t effort)
{
	s->effort.guarded = true;
	search_sequence(s, effort);
	s->effort.gave_up = true;
}

/* Plans each FP alone, and notes in its facts a lower bound of its time, and its gain (time saved for each interpolator). */
static void search_each(struct search *s, uint32_t effort)
{
	uint64_t const spare = s->effort.spare, left = s->effort.allowance ? s->effort.allowance->left : 0;
	for (unsigned k = 0; k < s->values->programs; k++) {
		struct fp_facts *fp = &s->facts.fps[k];
		/* Half of the steps are left for planning all FPs together. */
		s->effort.spare = left > spare ? left - (left - spare) / 2 / s->values->programs * (k + 1) : spare;
		s->facts.sequence[0] = k;
		s->facts.count = 1;
		s->best.plan = NULL;
		s->best.limit = time_as_it_is(s);
		uint64_t const least = search_sequence(s, effort);
		const struct move_options *o = s->facts.options;
		uint64_t const vertex = (uint64_t)o->target.vertex * o->budget.vs_slots + (uint64_t)o->target.interpolator * INTERPOLATORS;
		uint64_t const of_vs = vertex * TARGET_UNIT / (o->pixels_per_vertex ? o->pixels_per_vertex : 1);
		if (s->best.plan && least > of_vs && least - of_vs > fp->least)
			fp->least = least - of_vs;
		if (s->best.plan && s->best.plan->score.time < fp->most)
			fp->gain = (double)(fp->most - s->best.plan->score.time) / (s->best.plan->score.interpolators ? s->best.plan->score.interpolators : 1);
	}
	s->effort.spare = spare;
}

/* Sorts the FPs by gain, so that the FP that gains most has the first choice, then moves the FP at place `first` to the front. */
static void sequence_fps(struct search *s, unsigned first)
{
	s->facts.count = s->values->programs;
	for (unsigned k = 0; k < s->facts.count; k++) {
		unsigned j = k;
		for (; j > 0 && s->facts.fps[s->facts.sequence[j - 1]].gain < s->facts.fps[k].gain; j--)
			s->facts.sequence[j] = s->facts.sequence[j - 1];
		s->facts.sequence[j] = k;
	}
	unsigned const k = s->facts.sequence[first];
	memmove(s->facts.sequence + 1, s->facts.sequence, first * sizeof *s->facts.sequence);
	s->facts.sequence[0] = k;
}

/* Fills s->facts, and the facts of each FP in it, before any search. */
static void find_all_facts(struct search *s)
{
	struct values *v = s->values;
	struct facts *f = &s->facts;
	const struct target *t = &f->options->target;
	f->slots_only = !t->lane && !t->special && !t->order && !t->varying && !t->vertex && !t->interpolator && !t->pixel &&
	                t->overlap <= 1;
	f->fps = arena_zero(s->arena, v->programs * sizeof *f->fps);
	f->sequence = arena_zero(s->arena, v->programs * sizeof *f->sequence);
	s->state.plans = arena_zero(s->arena, v->programs * sizeof *s->state.plans);
	s->state.demands = arena_zero(s->arena, v->programs * sizeof *s->state.demands);
	f->vertex = arena_alloc(s->arena, f->nvs * sizeof *f->vertex);
	for (unsigned k = 0; k < f->nvs; k++) {
		f->vertex[k] = delivery_start(v, f->vs[k], &f->options[k]);
		f->vs_full |= !delivery_has_constant(f->vertex[k]);
	}
	if (f->nvs == 1 && v->programs == 1)
		f->least_vertex = delivery_least(f->vertex[0]);
	search_find_start(s);
	search_find_stuck(s);
	f->numbered = v->all.n;
	f->relations = arena_alloc(s->arena, (2 * f->numbered + 1) * sizeof *f->relations);
	f->related = arena_zero(s->arena, (2 * f->numbered + 1) * sizeof *f->related);
	for (unsigned k = 0; k < v->programs; k++)
		begin_fp(s, k);
}

/* Notes in the results of the best plan whether it is optimal, and by how much it exceeds `least`, the time below which there is no plan. */
static void note_quality(struct search *s, uint64_t least)
{
	struct planned *p = s->best.plan;
	uint64_t const unit = target_unit(&s->facts.options->target);
	for (unsigned k = 0; k < s->facts.nvs * s->values->programs; k++) {
		struct move_result *r = &p->result[k];
		r->vs_estimated = p->expected.vs_slots;
		r->vs_written = p->score.vs_slots;
		r->nodes = s->effort.nodes;
		r->optimal = (s->values->programs == 1 && !s->effort.gave_up) || p->score.time == least;
		r->gap = r->optimal ? 0 : (unsigned)((p->score.time - least + unit - 1) / unit);
	}
}

struct planned *plan_search_all(struct values *v, const struct program *const *vs,
                                unsigned nvs, const struct move_options *options, struct scope *scope)
{
	struct search s = {.arena = v->arena, .values = v, .facts = {.vs = vs, .nvs = nvs, .options = options},
	                   .effort = {.allowance = scope->allowance, .spare = scope->spare}};
	scope->bound = 0;
	if (v->inputs.uneven)
		return NULL;
	find_all_facts(&s);
	if (v->programs > 1)
		search_each(&s, scope->effort);
	sequence_fps(&s, 0);
	s.best.plan = NULL;
	s.best.limit = time_as_it_is(&s);
	if (scope->most < s.best.limit)
		s.best.limit = scope->most;
	uint64_t least = search_sequence(&s, scope->effort);
	if (!s.best.plan && s.effort.gave_up && v->programs == 1 && scope->most == UINT64_MAX)
		search_guarded(&s, scope->effort);
	/* If the interpolators do not suffice for all FPs, much depends on which FP comes first, so each one does in turn. */
	for (unsigned first = 1; first < v->programs && s.effort.gave_up && s.best.limit > least &&
	                         search_spend(&s, NODE_STEPS * v->programs); first++) {
		sequence_fps(&s, first);
		uint64_t const found = search_sequence(&s, scope->effort / SHARE_OF_SEQUENCE);
		least = found > least ? found : least;
	}
	values_turn(v, 0);
	if (s.best.plan)
		note_quality(&s, least);
	scope->bound = least;
	return s.best.plan;
}

struct planned *plan_search(struct values *v, const struct program *vs, const struct move_options *options)
{
	return plan_search_all(v, &vs, 1, options, &(struct scope){.most = UINT64_MAX, .effort = options->effort});
}
