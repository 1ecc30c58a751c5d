/* A complete plan: written out as far as it takes to see that it is no better than the best so far.
 * requires: all operands decided; changes: the best plan, the limit. */
#include "move/cut/search.h"

#include "base/profile.h"

#include <limits.h>
#include <string.h>

static unsigned used_registers(const struct layout *l)
{
	unsigned n = 0;
	for (unsigned r = 0; r < INTERPOLATORS; r++)
		n += layout_used(l, r);
	return n;
}

/* Numbers of the new interpolators: inputs keep theirs where they can, and none is left out. */
static void number_registers(struct layout *l)
{
	struct layout const old = *l;
	int count = (int)used_registers(l), to[INTERPOLATORS];
	bool taken[INTERPOLATORS] = {false};
	for (unsigned r = 0; r < INTERPOLATORS; r++) {
		to[r] = old.pinned[r] ? (int)r : -1;
		taken[r] = old.pinned[r];
	}
	for (unsigned r = 0; r < INTERPOLATORS; r++) {
		int home = old.home[r];
		if (to[r] < 0 && layout_used(&old, r) && home >= 0 && home < count && !taken[home]) {
			to[r] = home;
			taken[home] = true;
		}
	}
	for (unsigned r = 0; r < INTERPOLATORS; r++) {
		l->kind[r] = KIND_ANY;
		l->home[r] = -1;
		l->pinned[r] = false;
		for (unsigned k = 0; k < LANES; k++)
			l->lane[r][k] = NO_VALUE;
	}
	for (unsigned r = 0; r < INTERPOLATORS; r++) {
		if (!layout_used(&old, r))
			continue;
		for (int free = 0; to[r] < 0; free++) {
			if (!taken[free]) {
				to[r] = free;
				taken[free] = true;
			}
		}
		l->kind[to[r]] = old.kind[r];
		l->home[to[r]] = old.home[r];
		l->pinned[to[r]] = old.pinned[r];
		memcpy(l->lane[to[r]], old.lane[r], sizeof old.lane[r]);
	}
}

/* By time, then FP slots, then dependent reads, then interpolators, then VP slots. */
static bool better(const struct planned *a, const struct planned *b)
{
	if (a->time != b->time)
		return a->time < b->time;
	if (a->ps_slots != b->ps_slots)
		return a->ps_slots < b->ps_slots;
	if (a->order != b->order)
		return a->order < b->order;
	if (a->registers != b->registers)
		return a->registers < b->registers;
	return a->vs_slots < b->vs_slots;
}

/* A VP with more slots than this does not fit, or makes the plan no better than the best so far. */
static unsigned most_vertex_slots(const struct search *s, const struct planned *p)
{
	if (s->count > 1 || s->nvs > 1)
		return UINT_MAX;
	const struct target *t = &s->options->target;
	uint64_t most = s->options->vs_slots, pixels = s->options->pixels_per_vertex ? s->options->pixels_per_vertex : 1;
	if (t->vertex && p->time <= s->limit && s->limit - p->time < UINT64_MAX / pixels - 1) {
		uint64_t paid = ((s->limit - p->time + 1) * pixels - 1) / ((uint64_t)t->vertex * TARGET_UNIT);
		most = paid < most ? paid : most;
	} else if (s->best && p->time == s->best->time && p->ps_slots == s->best->ps_slots && p->order == s->best->order &&
	           p->registers == s->best->registers && s->best->vs_slots <= most) {
		most = s->best->vs_slots - 1;
	}
	return (unsigned)most;
}

/* Interpolated scalars that the program of a complete plan reads. */
static unsigned scalars_read(const struct search *s, const struct layout *l)
{
	lanes read[INTERPOLATORS] = {0};
	for (uint32_t q = s->guards; q < s->requests.n; q++) {
		const struct request *want = &s->requests.at[q];
		struct way way[MAX_SOURCES];
		unsigned r = 0, k = 0;
		for (; r < INTERPOLATORS; r++) {
			bool fits = want->kind == KIND_ANY || want->kind == l->kind[r];
			for (k = 0; fits && k < want->n && pattern_match(l->lane[r], &want->pattern[k], &way[k]); k++)
				continue;
			if (fits && k == want->n)
				break;
		}
		for (k = 0; r < INTERPOLATORS && k < want->n; k++)
			read[r] |= swizzle_lanes(way[k].swizzle, want->pattern[k].positions);
	}
	unsigned n = 0;
	for (unsigned r = 0; r < INTERPOLATORS; r++)
		for (unsigned k = 0; k < LANES; k++)
			n += read[r] >> k & 1;
	return n;
}

/* Does what is known without writing the programs show that the plan is no better than the best? */
static bool is_too_long(const struct search *s, const struct layout *l)
{
	const struct target *t = &s->options->target;
	if (!t->varying || s->count > 1)
		return false;
	struct work work = target_varyings(t, scalars_read(s, l) + s->colours);
	work_add(&work, s->base);
	work_add(&work, s->cost);
	uint64_t least = target_time(t, &work);
	return least > s->limit || (s->best && least == s->best->time && s->ties == 0);
}

/* ---- what the VP cannot do ------------------------------------------------------------------ */

static bool is_one_pair(const struct search *s)
{
	return s->count == 1 && s->nvs == 1;
}

static bool can_deliver(const struct search *s, const struct layout *layout)
{
	struct plan plan = {.layout = *layout};
	struct move_result notes = {0};
	unsigned least;
	plan_vertex_program(s->vertex[0], &plan, s->options->vs_slots, &least, &notes, NULL);
	return least != UINT_MAX;
}

static bool can_deliver_requests(const struct search *s, uint32_t n)
{
	struct layout layout;
	uint32_t work = PACK_WORK;
	return !layout_pack(s->values, s->requests.at, n, s->texcoords, &s->start, &layout, &work) ||
	       can_deliver(s, &layout);
}

/* The VP cannot deliver what the plan asks for.  Finds the request that is too much: no plan with the same
 * requests up to there needs to be looked at; and none at all with a value that fails alone. */
static void learn(struct search *s)
{
	uint32_t good = 0, bad = s->requests.n;
	if (!can_deliver_requests(s, 0) || can_deliver_requests(s, bad))
		return; /* the VP is too long in any case; or packed in another way it does fit */
	while (bad - good > 1) {
		uint32_t middle = good + (bad - good) / 2;
		if (can_deliver_requests(s, middle))
			good = middle;
		else
			bad = middle;
	}
	s->dead = bad;
	unsigned free = 0;
	while (free < INTERPOLATORS && s->start.pinned[free])
		free++;
	const struct request *q = &s->requests.at[bad - 1];
	for (unsigned k = 0; free < INTERPOLATORS && k < q->n; k++) {
		for (unsigned l = 0; l < LANES; l++) {
			value_id id = q->pattern[k].value[l];
			if (!(q->pattern[k].positions >> l & 1) || value_raw_input(s->values, id) >= 0)
				continue;
			struct layout alone = s->start;
			alone.kind[free] = q->kind;
			alone.lane[free][LANE_X] = id;
			bool known = s->nrefused == REFUSED;
			for (unsigned n = 0; n < s->nrefused; n++)
				known |= s->refused[n] == id;
			if (!known && !can_deliver(s, &alone))
				s->refused[s->nrefused++] = id;
		}
	}
	for (uint32_t c = 0; c < s->coords.n; c++)
		s->coords.at[c].rides = search_rides(s, s->coords.at[c].x, s->coords.at[c].y);
	search_find_grounded(s);
}

/* ---- writing -------------------------------------------------------------------------------- */

/* All FPs that are planned, and what they take without their VPs; false: one of them cannot be. */
static bool write_pixel_programs(struct search *s, const struct layout *layout, struct planned *p)
{
	s->part[s->values->program].plan = s->plan;
	for (unsigned j = 0; j < s->count; j++) {
		unsigned k = s->order[j];
		struct move_result *r = &p->result[k];
		struct plan plan = s->part[k].plan;
		plan.layout = *layout;
		values_turn(s->values, k);
		r->ps = plan_pixel_program(s->values, &plan, r);
		if (!r->ps)
			return false;
		unsigned order = program_dependent_reads(r->ps);
		if (order > models[PS_2_0].order)
			return false; /* new registers for old values can make reads overwrite what depends */
		uint64_t time = target_pair(&s->options->target, s->vs[0], r->ps, UINT_MAX);
		if (s->count > 1 && time > s->part[k].most)
			return false;
		p->time += time;
		p->ps_slots += program_total_slots(r->ps);
		p->order += order;
	}
	return true;
}

/* The shortest VP that computes what the layout has, with what any of the FPs computes it by; of many FPs, with that of
 * those that come first. */
static struct program *write_vertex_program(struct search *s, const struct layout *layout, unsigned v, unsigned at_most,
                                            struct move_result *notes, const struct delivery **how)
{
	struct program *best = NULL;
	for (unsigned j = 0, failed = 0; j < s->count && failed < MOST_FAILED; j++) {
		struct plan plan = s->part[s->order[j]].plan;
		struct move_result own = {0};
		plan.layout = *layout;
		values_turn(s->values, s->order[j]);
		unsigned least;
		const struct delivery *with;
		struct program *p = plan_vertex_program(s->vertex[v], &plan, at_most, &least, &own, &with);
		if (!p && least == UINT_MAX && is_one_pair(s))
			learn(s);
		failed += !p;
		if (!p)
			continue;
		best = p;
		*how = with;
		*notes = own;
		at_most = program_total_slots(p) - 1;
	}
	return best;
}

/* The VP of a plan that may be better in it alone, as far as it is written already. */
struct ready {
	struct program *program; /* NULL: it is not */
	unsigned at_most;        /* slots that it was allowed */
	struct move_result notes;
	const struct delivery *how;
};

/* All VPs, and what the pairs take with them. */
static bool write_vertex_programs(struct search *s, const struct layout *layout, const struct ready *ready, struct planned *p)
{
	unsigned const at_most = most_vertex_slots(s, p);
	uint64_t time = 0;
	p->how = arena_alloc(s->arena, s->nvs * sizeof *p->how);
	for (unsigned v = 0; v < s->nvs; v++) {
		bool const is_ready = ready->program && ready->at_most == at_most;
		struct move_result notes = {0};
		struct program *vs = ready->program;
		if (is_ready) {
			notes = ready->notes;
			p->how[v] = ready->how;
		} else {
			vs = write_vertex_program(s, layout, v, at_most, &notes, &p->how[v]);
		}
		if (!vs)
			return false;
		p->vs_slots += program_total_slots(vs);
		for (unsigned j = 0; j < s->count; j++) {
			unsigned k = s->order[j];
			struct move_result *r = &p->result[s->nvs > 1 ? v : k];
			if (v > 0) {
				r->ps = p->result[0].ps;
				r->folds = (struct folds){0};
				for (uint32_t f = 0; f < p->result[0].folds.n && p->result[0].folds.at[f].stage == STAGE_PIXEL; f++)
					VEC_PUSH(s->arena, &r->folds) = p->result[0].folds.at[f];
			}
			r->vs = vs;
			for (uint32_t f = 0; f < notes.folds.n; f++)
				VEC_PUSH(s->arena, &r->folds) = notes.folds.at[f];
			for (uint32_t c = 0; c < notes.consts.n; c++) {
				struct const_map map = notes.consts.at[c];
				if (map.ps / PROGRAM_CONSTS == (int)k)
					VEC_PUSH(s->arena, &r->consts) = (struct const_map){.vs = map.vs, .ps = map.ps % PROGRAM_CONSTS};
			}
			time += target_pair(&s->options->target, vs, r->ps, s->options->pixels_per_vertex);
		}
	}
	p->time = time / s->nvs;
	return true;
}

/* ---- judging ---------------------------------------------------------------------------------- */

/* Can it be better than the best in nothing but interpolators and the VP, as it costs the same? */
static bool is_tie(const struct search *s)
{
	struct work work = s->base;
	work_add(&work, s->cost);
	return is_one_pair(s) && s->best && s->slots_only && target_time(&s->options->target, &work) >= s->best->time &&
	       s->least_order <= s->best->order &&
	       (s->best->order <= s->least_order || s->best->order <= search_order_after(s, -1));
}

/* Is a tie no better?  If it may be, its VP was written. */
static bool is_no_better(const struct search *s, const struct layout *layout, unsigned registers, struct ready *ready)
{
	if (registers < s->best->registers)
		return false;
	if (registers > s->best->registers || s->best->vs_slots == 0 || memcmp(layout, &s->best->layout, sizeof *layout) == 0)
		return true;
	unsigned written = 0; /* interpolators: an instruction for each at least */
	for (unsigned r = 0; r < INTERPOLATORS; r++)
		written += layout_used(layout, r) && !layout->pinned[r];
	if (s->least_vertex + written >= s->best->vs_slots)
		return true;
	unsigned least;
	struct plan plan = {.layout = *layout};
	ready->at_most = s->best->vs_slots - 1;
	ready->program = plan_vertex_program(s->vertex[0], &plan, ready->at_most, &least, &ready->notes, &ready->how);
	return least >= s->best->vs_slots;
}

/* Can no plan of the best one's time be better in anything? */
static bool is_best_of_its_time(const struct search *s)
{
	const struct planned *p = s->best;
	unsigned written = 0, scalars;
	for (unsigned r = 0; r < INTERPOLATORS; r++)
		written += layout_used(&p->layout, r) && !p->layout.pinned[r];
	return is_one_pair(s) && s->slots_only && p->order <= s->least_order && p->vs_slots <= s->least_vertex + written &&
	       p->registers <= search_least_registers(s, &scalars);
}

/* Anew, in as few registers as it can be: what was packed by and by depends on the way here.  False: it takes more
 * than `most`. */
static bool pack_anew(struct search *s, unsigned most, struct layout *layout)
{
	unsigned const used = used_registers(&s->plan.layout);
	for (uint32_t q = 0; used > 1 && q < s->requests.n; q++) /* what is read negated may carry the opposite */
		for (unsigned k = 0; k < s->requests.at[q].n; k++)
			for (unsigned l = 0; l < LANES; l++)
				if (s->requests.at[q].pattern[k].positions >> l & 1)
					s->requests.at[q].pattern[k].negated[l] = value_negated(s->values, s->requests.at[q].pattern[k].value[l]);
	for (unsigned n = layout_least(s->requests.at, s->requests.n); n <= used && n <= most; n++) {
		uint32_t const allowed = n < used ? PACK_WORK / 8 : PACK_WORK;
		uint32_t work = s->leaf_work < allowed ? s->leaf_work : allowed, before = work;
		bool const packed = layout_pack(s->values, s->requests.at, s->requests.n, n, &s->start, layout, &work);
		s->leaf_work -= before - work;
		search_spend(s, layout_steps(s->requests.n, before - work));
		if (packed)
			return true;
	}
	*layout = s->plan.layout;
	return used <= most;
}

/* The plan of an FP of so many instructions, as it is now. */
static struct plan copied(struct arena *a, const struct plan *plan, uint32_t instrs)
{
	struct plan copy = *plan;
	copy.mask = (void *)arena_copy(a, plan->mask, instrs * sizeof *plan->mask);
	copy.supply = (void *)arena_copy(a, plan->supply, instrs * sizeof *plan->supply);
	copy.temp = (void *)arena_copy(a, plan->temp, instrs * sizeof *plan->temp);
	copy.makings.at = (void *)arena_copy(a, plan->makings.at, plan->makings.n * sizeof *plan->makings.at);
	copy.makings.cap = plan->makings.n;
	return copy;
}

/* True if this plan is the best so far, and noted as that. */
static bool try_leaf(struct search *s)
{
	uint64_t const least = search_bound(s, -1);
	if (least > s->limit || (s->best && least == s->best->time && s->ties == 0))
		return false;
	unsigned const here = s->values->program;
	bool const tie = is_tie(s);
	struct layout layout;
	if (!pack_anew(s, tie ? s->best->registers : INTERPOLATORS, &layout)) {
		s->leaves++;
		s->ties -= s->ties > 0;
		return false;
	}
	if (is_too_long(s, &layout))
		return false;
	s->leaves++;
	number_registers(&layout);
	struct planned p = {.registers = used_registers(&layout)};
	struct ready ready = {.program = NULL};
	if (tie && is_no_better(s, &layout, p.registers, &ready)) {
		s->ties -= s->ties > 0;
		return false;
	}
	search_spend(s, (uint64_t)s->count * PIXEL_STEPS + (uint64_t)s->nvs * (s->count < MOST_FAILED ? s->count : MOST_FAILED) * VERTEX_STEPS);
	p.result = arena_zero(s->arena, s->nvs * s->values->programs * sizeof *p.result);
	profile_begin(s->options->profile, "pixel program");
	bool good = write_pixel_programs(s, &layout, &p);
	profile_end(s->options->profile);
	if (good && s->best && s->ties)
		s->ties--;
	good = good && (!s->best || better(&p, s->best)) && write_vertex_programs(s, &layout, &ready, &p);
	values_turn(s->values, here);
	if (!good || p.time > s->limit || (s->best && !better(&p, s->best)))
		return false;
	if (!s->best || p.time < s->best->time)
		s->ties = TIES;
	s->limit = p.time;
	p.layout = layout;
	p.plan = arena_zero(s->arena, s->values->programs * sizeof *p.plan);
	for (unsigned j = 0; j < s->count; j++) {
		unsigned k = s->order[j];
		p.plan[k] = copied(s->arena, &s->part[k].plan, s->values->numbering[k].ps->instrs.n);
		p.plan[k].layout = layout;
	}
	s->best = arena_alloc(s->arena, sizeof *s->best);
	*s->best = p;
	if (s->ties && is_best_of_its_time(s))
		s->ties = 0;
	return true;
}

/* What a plan that is not taken allocated is freed again, unless new values were numbered for it. */
void search_leaf(struct search *s)
{
	struct arena_mark before = arena_mark(s->arena);
	uint32_t values = s->values->all.n;
	if (!try_leaf(s) && s->values->all.n == values)
		arena_release(s->arena, before);
}
