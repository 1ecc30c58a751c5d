/* The way through the FPs that are planned, mostly one.  requires: values; builds: both programs.
 *
 * Several FPs share a VP, and so one packing of the interpolators and one search: each is decided in
 * its turn, beside what those before it asked for, and such that those to come can still stay as they
 * are.  A plan for each alone comes first: it says what can be had at best, and in what order. */
#include "move/cut/search.h"

#include <limits.h>
#include <string.h>

/* Puts the plan for the FP at hand away, and takes up that for another. */
static void turn(struct search *s, unsigned at)
{
	struct layout const layout = s->plan.layout;
	struct part *part = &s->part[s->order[at]];
	s->part[s->values->program].plan = s->plan;
	s->at = at;
	values_turn(s->values, s->order[at]);
	s->ps = s->values->ps;
	s->pixel = part->pixel;
	s->demand = part->demand;
	s->base = part->base;
	s->colours = part->colours;
	s->coords = part->coords;
	s->mixeds = part->mixeds;
	s->rank = part->rank;
	s->roomy = part->roomy;
	s->least_order = part->least_order;
	s->reads = part->reads;
	s->grounded = part->grounded;
	s->plan = part->plan;
	s->plan.layout = layout;
}

/* The guards of the FP that comes to hand next, which are the last. */
static void remove_guards(struct search *s, const struct requests *guards)
{
	struct request *at = s->requests.at + s->guards;
	memmove(at - guards->n, at, (s->requests.n - s->guards) * sizeof *at);
	s->guards -= guards->n;
	s->requests.n -= guards->n;
}

static void add_guards(struct search *s, const struct requests *guards)
{
	for (uint32_t q = 0; q < guards->n; q++)
		VEC_PUSH(s->arena, &s->requests) = guards->at[q];
	struct request *at = s->requests.at + s->guards;
	memmove(at + guards->n, at, (s->requests.n - s->guards - guards->n) * sizeof *at);
	if (guards->n)
		memcpy(at, guards->at, guards->n * sizeof *at);
	s->guards += guards->n;
}

/* The FP at hand is decided: on to the next, if it pays for what it got. */
void search_next(struct search *s)
{
	const struct part *done = &s->part[s->values->program];
	if (s->at + 1 == s->count) {
		search_leaf(s);
		return;
	}
	uint64_t const time = search_bound(s, -1) - s->others, others = s->others;
	if (time > done->most)
		return;
	unsigned const here = s->at, direct = s->direct;
	uint32_t const own = s->own;
	struct work const cost = s->cost;
	turn(s, here + 1);
	struct part *part = &s->part[s->values->program];
	s->others += time - part->least;
	s->cost = (struct work){0};
	s->direct = 0;
	remove_guards(s, &part->guards);
	s->own = s->requests.n;
	search_program(s);
	add_guards(s, &part->guards);
	s->own = own;
	s->direct = direct;
	s->cost = cost;
	s->others = others;
	turn(s, here);
}

static bool plannable(const struct program *ps)
{
	for (uint32_t i = 0; i < ps->instrs.n; i++)
		if (ops[ps->instrs.at[i].op].shape == SHAPE_MATRIX && ps->instrs.at[i].src[1].file != REG_CONST)
			return false; /* rows in temporaries: their lanes are not followed */
	return true;
}

/* Everything that is known before the search of one FP, which comes to hand. */
static void begin(struct search *s, unsigned k)
{
	struct part *part = &s->part[k];
	values_turn(s->values, k);
	s->ps = s->values->ps;
	uint32_t n = s->ps->instrs.n;
	s->pixel = part->pixel = arena_zero(s->arena, n + 1);
	s->demand = part->demand = arena_zero(s->arena, n + 1);
	s->plan = (struct plan){.layout = s->start};
	s->plan.mask = arena_zero(s->arena, n + 1);
	s->plan.supply = arena_zero(s->arena, (n + 1) * sizeof *s->plan.supply);
	s->plan.temp = arena_zero(s->arena, (n + 1) * sizeof *s->plan.temp);
	s->coords = (struct coords){0};
	s->mixeds = (struct mixeds){0};
	s->base = (struct work){0};
	s->colours = 0;
	search_find_live_pixels(s);
	search_find_consts(s);
	search_find_chains(s);
	search_find_coords(s);
	search_find_mixeds(s);
	search_find_guards(s, &part->guards);
	s->reads = part->reads = arena_alloc(s->arena, (n + 1) * sizeof *s->reads);
	s->grounded = part->grounded = arena_zero(s->arena, (n + 1) * sizeof *s->grounded);
	search_find_grounded(s);
	s->least_order = search_order_after(s, (int)n);
	part->least_order = s->least_order;
	s->base.tex += (uint64_t)s->options->target.order * s->least_order * TARGET_UNIT;
	s->rank = 0;
	if (s->options->target.varying)
		search_least_registers(s, &s->rank);
	part->rank = s->rank;
	search_find_roomy(s);
	part->roomy = s->roomy;
	part->base = s->base;
	part->colours = s->colours;
	part->least = target_time(&s->options->target, &s->base);
	part->coords = s->coords;
	part->mixeds = s->mixeds;
	part->plan = s->plan;
	part->most = target_pair(&s->options->target, s->vs[0], s->ps, UINT_MAX);
}

static bool has_few_lanes(const struct search *s)
{
	unsigned n = 0;
	for (uint32_t i = 0; i < s->ps->instrs.n; i++)
		for (unsigned lane = 0; lane < LANES; lane++)
			n += instr_writes(&s->ps->instrs.at[i]) >> lane & 1 && value_may_move(s->values, s->values->def[i][lane]);
	return s->count == 1 && n <= FEW_LANES;
}

/* The wide search.  All of it is mostly done soon; else what is likely to be of use comes first, then all again. */
static const struct breadth {
	bool orders;
	uint8_t share; /* of the work: the whole divided by this, at most */
} breadths[] = {{true, 40}, {false, 8}, {true, 1}};
enum { BREADTHS = sizeof breadths / sizeof *breadths };

/* ... for plans of equal time; in programs of more than a few lanes only what has been of use. */
static const struct breadth tie_breadths[] = {{true, 40}, {false, 4}, {true, 2}};
enum { TIE_BREADTHS = sizeof tie_breadths / sizeof *tie_breadths, TIE_USEFUL = 1 };

static void search_widely(struct search *s, const struct breadth *b)
{
	s->orders = b->orders;
	for (uint32_t id = s->values->all.n; id-- > s->negated;)
		value_negated(s->values, id); /* so that operands may read interpolators that carry the opposite */
	s->negated = s->values->all.n;
	if (!s->visited) {
		s->visited = arena_alloc(s->arena, VISITS * sizeof *s->visited);
		s->refusals = arena_zero(s->arena, REFUSALS * sizeof *s->refusals);
	}
	memset(s->visited, 0, VISITS * sizeof *s->visited);
	search_program(s);
}

/* Above `least` there may be something to find. */
static void search_breadths(struct search *s, uint32_t work, uint64_t least)
{
	bool all = false;
	uint32_t left = work;
	for (unsigned k = 0; k < BREADTHS && !all && work && least < (s->best ? s->best->time : s->limit); k++) {
		const struct breadth *b = &breadths[k];
		bool const longer = s->few && k + 1 == BREADTHS && work < UINT32_MAX / FEW_MORE;
		bool const whole = k && !s->slots_only; /* for other targets more is found */
		uint32_t const most = longer ? work * FEW_MORE : whole ? work : work / b->share;
		uint32_t const share = s->few || most < left ? most : left;
		s->work = share;
		s->gave_up = false;
		s->ties = 0;
		search_widely(s, b);
		left -= s->few ? 0 : share - s->work;
		all = !s->gave_up && b->orders;
	}
}

/* What a plan of the best one's time may do better: reads of a lower order, or fewer interpolators. */
static void search_ties(struct search *s, enum aim aim, uint32_t ties, uint32_t work)
{
	struct planned const *before = s->best;
	bool all = false;
	s->aim = aim;
	for (unsigned k = 0; k < TIE_BREADTHS && !all && s->best == before; k++) {
		const struct breadth *b = &tie_breadths[k];
		if (!s->few && k != TIE_USEFUL)
			continue;
		s->work = s->few ? work / b->share : work;
		s->gave_up = false;
		s->ties = ties;
		search_widely(s, b);
		all = !s->gave_up && b->orders;
	}
}

static void search_order_of_reads(struct search *s, uint32_t work)
{
	struct planned const *before = NULL;
	while (s->best != before && s->best->order > search_order_after(s, (int)s->ps->instrs.n)) {
		before = s->best;
		search_ties(s, AIM_ORDER, TIES, work);
	}
}

/* As the best plan, with fewer interpolators each time. */
static void search_registers(struct search *s, uint32_t work)
{
	struct planned const *before = NULL;
	unsigned scalars, least = s->best->registers ? search_least_registers(s, &scalars) : 0;
	s->deepest_order = s->best->registers > least ? search_deepest_order(s) : 0;
	while (s->best != before && s->best->registers > least) {
		before = s->best;
		s->texcoords = s->best->registers - 1;
		search_find_roomy(s);
		if (search_bound(s, (int)s->ps->instrs.n - 1) <= s->limit)
			search_ties(s, AIM_REGISTERS, LEAVES, work);
	}
	s->texcoords = s->options->texcoords;
	s->roomy = s->part[s->values->program].roomy;
}

/* Looks at all plans for the FPs in s->order; the value is a time below which there is none. */
static uint64_t search_order(struct search *s, uint32_t effort)
{
	s->work = effort > UINT32_MAX / WORK_PER_NODE ? UINT32_MAX : effort * WORK_PER_NODE;
	s->leaf_work = s->work;
	s->last_node = s->nodes > UINT32_MAX - effort ? UINT32_MAX : s->nodes + effort;
	s->gave_up = false;
	s->leaves = s->ties = 0;
	s->cost = (struct work){0};
	s->direct = 0;
	s->wide = false;
	s->requests.n = s->guards = s->dead = 0;
	for (unsigned j = s->count; j-- > 1;)
		add_guards(s, &s->part[s->order[j]].guards);
	turn(s, 0);
	s->plan.layout = s->start;
	uint32_t work = PACK_WORK;
	if (!layout_pack(s->values, s->requests.at, s->requests.n, s->texcoords, &s->start, &s->plan.layout, &work))
		s->gave_up = true;
	s->own = s->requests.n;
	s->others = 0;
	for (unsigned j = 1; j < s->count; j++)
		s->others += s->part[s->order[j]].least;
	uint64_t const least = search_bound(s, (int)s->ps->instrs.n - 1);
	if (!s->gave_up)
		search_program(s);
	/* What is rarely of use is tried when all else is done; then for a lower order, then for fewer interpolators. */
	s->wide = true;
	s->few = has_few_lanes(s);
	work = s->work;
	search_breadths(s, work, least);
	bool const gave_up = s->gave_up;
	if (s->count == 1 && s->best && s->slots_only) {
		work = s->few || work < TIE_WORK ? work : TIE_WORK;
		search_order_of_reads(s, work);
		search_registers(s, work);
	}
	s->gave_up = gave_up; /* what gave up after that has found the least time in any case */
	s->aim = AIM_VERTEX;
	/* Guards leave out plans for several FPs. */
	return s->gave_up || s->count > 1 ? least : s->best ? s->best->time : s->limit;
}

/* Time of the FPs in s->order as they are. */
static uint64_t time_as_it_is(const struct search *s)
{
	uint64_t time = 0;
	for (unsigned v = 0; v < s->nvs; v++)
		for (unsigned j = 0; j < s->count; j++)
			time += target_pair(&s->options->target, s->vs[v], s->values->numbering[s->order[j]].ps,
			                    s->options->pixels_per_vertex);
	return time / s->nvs;
}

/* What each FP can come to at best, and how much it gains, from a plan for it alone. */
static void search_each(struct search *s)
{
	uint64_t const spare = s->spare, left = s->allowance ? s->allowance->left : 0;
	for (unsigned k = 0; k < s->values->programs; k++) {
		struct part *part = &s->part[k];
		/* Half of the work is for all together. */
		s->spare = left > spare ? left - (left - spare) / 2 / s->values->programs * (k + 1) : spare;
		s->order[0] = k;
		s->count = 1;
		s->best = NULL;
		s->limit = time_as_it_is(s);
		uint64_t const least = search_order(s, s->options->effort);
		const struct target *t = &s->options->target;
		uint64_t const vertex = (uint64_t)t->vertex * s->options->vs_slots + (uint64_t)t->interpolator * INTERPOLATORS;
		uint64_t const of_vs = vertex * TARGET_UNIT / (s->options->pixels_per_vertex ? s->options->pixels_per_vertex : 1);
		if (s->best && least > of_vs && least - of_vs > part->least)
			part->least = least - of_vs;
		if (s->best && s->best->time < part->most)
			part->gain = (double)(part->most - s->best->time) / (s->best->registers ? s->best->registers : 1);
	}
	s->spare = spare;
}

/* What gains most comes first, so that it has the first choice; before it the one at `first` in this order. */
static void order_parts(struct search *s, unsigned first)
{
	s->count = s->values->programs;
	for (unsigned k = 0; k < s->count; k++) {
		unsigned j = k;
		for (; j > 0 && s->part[s->order[j - 1]].gain < s->part[k].gain; j--)
			s->order[j] = s->order[j - 1];
		s->order[j] = k;
	}
	unsigned const k = s->order[first];
	memmove(s->order + 1, s->order, first * sizeof *s->order);
	s->order[0] = k;
}

struct planned *plan_search_all(struct values *v, const struct program *const *vs, unsigned nvs,
                                const struct move_options *options, struct allowance *allowance, uint64_t spare)
{
	struct search s = {.arena = v->arena, .values = v, .vs = vs, .nvs = nvs, .options = options, .texcoords = options->texcoords,
	                   .allowance = allowance, .spare = spare};
	for (unsigned k = 0; k < v->programs; k++)
		if (v->uneven || !plannable(v->numbering[k].ps))
			return NULL;
	const struct target *t = &options->target;
	s.slots_only = !t->lane && !t->special && !t->order && !t->varying && !t->vertex && !t->interpolator && !t->pixel && t->overlap <= 1;
	s.part = arena_zero(s.arena, v->programs * sizeof *s.part);
	s.order = arena_zero(s.arena, v->programs * sizeof *s.order);
	s.vertex = arena_alloc(s.arena, nvs * sizeof *s.vertex);
	for (unsigned k = 0; k < nvs; k++)
		s.vertex[k] = plan_vertex_start(v, vs[k], &options[k]);
	for (unsigned k = 0; k < nvs; k++)
		s.full |= !plan_vertex_has_constant(s.vertex[k]);
	if (nvs == 1 && v->programs == 1)
		s.least_vertex = plan_vertex_least(s.vertex[0]);
	search_find_start(&s);
	search_find_stuck(&s);
	s.chains = v->all.n;
	s.chain = arena_alloc(s.arena, s.chains * sizeof *s.chain);
	s.relations = arena_zero(s.arena, (2 * s.chains + 1) * sizeof *s.relations);
	memset(s.chain, 0xff, s.chains * sizeof *s.chain);
	for (unsigned k = 0; k < v->programs; k++)
		begin(&s, k);
	if (v->programs > 1)
		search_each(&s);
	order_parts(&s, 0);
	s.best = NULL;
	s.limit = time_as_it_is(&s);
	uint64_t least = search_order(&s, options->effort);
	/* Who comes first decides much where the interpolators do not suffice for all. */
	for (unsigned first = 1; first < v->programs && s.gave_up && s.limit > least && search_spend(&s, NODE_STEPS * v->programs); first++) {
		order_parts(&s, first);
		uint64_t const found = search_order(&s, options->effort / 4);
		least = found > least ? found : least;
	}
	values_turn(v, 0);
	for (unsigned k = 0; s.best && k < nvs * v->programs; k++) {
		struct move_result *r = &s.best->result[k];
		if (v->programs == 1)
			plan_shorten_vertex_program(s.vertex[k], &s.best->layout, s.best->how[k], r);
		r->nodes = s.nodes;
		/* In slots, as the time is for the default target; rounded up for others. */
		r->optimal = (v->programs == 1 && !s.gave_up) || s.best->time == least;
		r->gap = r->optimal ? 0 : (unsigned)((s.best->time - least + TARGET_UNIT - 1) / TARGET_UNIT);
	}
	return s.best;
}

struct planned *plan_search(struct values *v, const struct program *vs, const struct move_options *options)
{
	return plan_search_all(v, &vs, 1, options, NULL, 0);
}
