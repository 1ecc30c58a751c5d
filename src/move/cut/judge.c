/* A complete plan: written out as far as it takes to see that it is no better than the best so far.
 * requires: all operands decided; changes: the best plan, the limit. */
#include "move/cut/search.h"

#include "move/emit/emit.h"

#include "base/profile.h"

#include <limits.h>
#include <string.h>

/* A VP with more slots than this does not fit, or makes the plan no better than the best so far. */
static unsigned most_vertex_slots(const struct search *s, const struct planned *p)
{
	if (s->facts.count > 1 || s->facts.nvs > 1)
		return UINT_MAX;
	const struct move_options *o = s->facts.options;
	const struct planned *best = s->best.plan;
	uint64_t most = o->vs_slots, pixels = o->pixels_per_vertex ? o->pixels_per_vertex : 1;
	if (o->target.vertex && p->score.time <= s->best.limit && s->best.limit - p->score.time < UINT64_MAX / pixels - 1) {
		uint64_t paid = ((s->best.limit - p->score.time + 1) * pixels - 1) / ((uint64_t)o->target.vertex * TARGET_UNIT);
		most = paid < most ? paid : most;
	} else if (best && p->score.time == best->score.time && p->score.ps_slots == best->score.ps_slots && p->score.order == best->score.order &&
	           p->score.interpolators == best->score.interpolators && best->score.vs_slots <= most) {
		most = best->score.vs_slots - 1;
	}
	return (unsigned)most;
}

/* Interpolated scalars that the program of a complete plan reads. */
static unsigned scalars_read(const struct search *s, const struct layout *l)
{
	lanes read[INTERPOLATORS] = {0};
	for (uint32_t q = s->state.guards; q < s->state.requests.n; q++) {
		const struct request *want = &s->state.requests.at[q];
		struct view view[MAX_SOURCES];
		int const r = layout_find(l, want, view);
		for (unsigned k = 0; r >= 0 && k < want->n; k++)
			read[r] |= swizzle_lanes(view[k].swizzle, want->pattern[k].positions);
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
	const struct target *t = &s->facts.options->target;
	if (!t->varying || s->facts.count > 1)
		return false;
	struct work work = target_varyings(t, scalars_read(s, l) + s->fp->colours);
	work_add(&work, s->fp->fixed);
	work_add(&work, s->state.work);
	uint64_t least = target_time(t, &work);
	return least > s->best.limit || (s->best.plan && least == s->best.plan->score.time && s->effort.equals_left == 0);
}

/* ---- what the VP cannot do ------------------------------------------------------------------- */

static bool is_one_pair(const struct search *s)
{
	return s->facts.count == 1 && s->facts.nvs == 1;
}

static bool can_deliver(const struct search *s, const struct layout *layout)
{
	struct move_result notes = {0};
	unsigned least;
	delivery_program(s->facts.vertex[0], layout, s->facts.options->vs_slots, &least, &notes, NULL);
	return least != UINT_MAX;
}

static bool can_deliver_requests(const struct search *s, uint32_t n)
{
	struct layout layout;
	uint32_t steps = PACK_STEPS;
	return !layout_pack(s->values, s->state.requests.at, n, s->best.texcoords, &s->facts.start, &layout, &steps) ||
	       can_deliver(s, &layout);
}

/* The VP cannot deliver what the plan asks for.  Finds the request that is too much: no plan with the same
 * requests up to there needs to be looked at; and none at all with a value that fails alone. */
static void learn(struct search *s)
{
	uint32_t good = 0, bad = s->state.requests.n;
	if (!can_deliver_requests(s, 0) || can_deliver_requests(s, bad))
		return; /* the VP is too long in any case; or packed in another way it does fit */
	while (bad - good > 1) {
		uint32_t middle = good + (bad - good) / 2;
		if (can_deliver_requests(s, middle))
			good = middle;
		else
			bad = middle;
	}
	s->state.undeliverable = bad;
	unsigned free = 0;
	while (free < INTERPOLATORS && s->facts.start.pinned[free])
		free++;
	const struct request *q = &s->state.requests.at[bad - 1];
	for (unsigned k = 0; free < INTERPOLATORS && k < q->n; k++) {
		EACH_LANE(l, q->pattern[k].positions) {
			value_id id = q->pattern[k].value[l];
			if (value_raw_input(s->values, id) >= 0)
				continue;
			struct layout alone = s->facts.start;
			alone.kind[free] = q->kind;
			alone.lane[free][LANE_X] = id;
			bool known = s->seen.nundelivered == UNDELIVERED;
			for (unsigned n = 0; n < s->seen.nundelivered; n++)
				known |= s->seen.undelivered[n] == id;
			if (!known && !can_deliver(s, &alone))
				s->seen.undelivered[s->seen.nundelivered++] = id;
		}
	}
	search_find_riding(s);
}

/* ---- writing --------------------------------------------------------------------------------- */

/* All FPs that are planned, and what they take without their VPs; false: one of them cannot be. */
static bool write_pixel_programs(struct search *s, const struct layout *layout, struct planned *p)
{
	for (unsigned j = 0; j < s->facts.count; j++) {
		unsigned k = s->facts.sequence[j];
		struct move_result *r = &p->result[k];
		struct plan plan = s->state.plans[k];
		plan.layout = *layout;
		values_turn(s->values, k);
		r->ps = emit_pixel_program(s->values, &plan, r);
		if (!r->ps)
			return false;
		unsigned order = program_dependent_reads(r->ps);
		if (order > model_order(r->ps->model))
			return false; /* new registers for old values can make reads overwrite what depends */
		uint64_t time = target_pair(&s->facts.options->target, s->facts.vs[0], r->ps, UINT_MAX);
		if (s->facts.count > 1 && time > s->facts.fps[k].most)
			return false;
		p->score.time += time;
		p->score.ps_slots += program_total_slots(r->ps);
		p->score.order += order;
	}
	return true;
}

/* The shortest VP that computes what the layout has, with what any of the FPs computes it by; of many FPs, with that of
 * those that come first. */
static struct program *write_vertex_program(struct search *s, const struct layout *layout, unsigned v, unsigned at_most,
                                            struct move_result *notes, const struct delivery **how)
{
	struct program *best = NULL;
	for (unsigned j = 0, failed = 0; j < s->facts.count && failed < MOST_FAILED; j++) {
		struct move_result own = {0};
		values_turn(s->values, s->facts.sequence[j]);
		unsigned least;
		const struct delivery *with;
		struct program *p = delivery_program(s->facts.vertex[v], layout, at_most, &least, &own, &with);
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

/* What serves no interpolator, and an instruction for each. */
static unsigned least_vertex_slots(const struct search *s, const struct layout *layout)
{
	unsigned n = s->facts.least_vertex;
	for (unsigned r = 0; r < INTERPOLATORS; r++)
		n += layout_used(layout, r) && !layout->pinned[r];
	return n;
}

/* All VPs, and what the pairs take with them. */
static bool write_vertex_programs(struct search *s, const struct layout *layout, const struct ready *ready,
                                  struct planned *p)
{
	unsigned const at_most = most_vertex_slots(s, p);
	uint64_t time = 0;
	if (is_one_pair(s) && least_vertex_slots(s, layout) > at_most)
		return false;
	p->how = arena_alloc(s->arena, s->facts.nvs * sizeof *p->how);
	for (unsigned v = 0; v < s->facts.nvs; v++) {
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
		p->score.vs_slots += program_total_slots(vs);
		for (unsigned j = 0; j < s->facts.count; j++) {
			unsigned k = s->facts.sequence[j];
			struct move_result *r = &p->result[s->facts.nvs > 1 ? v : k];
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
			time += target_pair(&s->facts.options->target, vs, r->ps, s->facts.options->pixels_per_vertex);
		}
	}
	p->score.time = time / s->facts.nvs;
	return true;
}

/* ---- judging --------------------------------------------------------------------------------- */

/* Can it be better than the best in nothing but interpolators and the VP, as it costs the same? */
static bool is_equal(const struct search *s)
{
	const struct planned *best = s->best.plan;
	struct work work = s->fp->fixed;
	work_add(&work, s->state.work);
	return is_one_pair(s) && best && s->facts.slots_only && target_time(&s->facts.options->target, &work) >= best->score.time &&
	       s->fp->least_order <= best->score.order &&
	       (best->score.order <= s->fp->least_order || best->score.order <= search_order_after(s, -1));
}

/* Is a tie no better?  If it may be, its VP was written. */
static bool is_no_better(const struct search *s, const struct layout *layout, unsigned registers, struct ready *ready)
{
	const struct planned *best = s->best.plan;
	if (registers < best->score.interpolators)
		return false;
	if (registers > best->score.interpolators || best->score.vs_slots == 0 || memcmp(layout, &best->layout, sizeof *layout) == 0)
		return true;
	if (least_vertex_slots(s, layout) >= best->score.vs_slots)
		return true;
	unsigned least;
	ready->at_most = best->score.vs_slots - 1;
	ready->program = delivery_program(s->facts.vertex[0], layout, ready->at_most, &least, &ready->notes,
	                                                &ready->how);
	return least >= best->score.vs_slots;
}

/* Can no plan of the best one's time be better in anything? */
static bool is_best_of_its_time(const struct search *s)
{
	const struct planned *p = s->best.plan;
	unsigned scalars;
	return is_one_pair(s) && s->facts.slots_only && p->score.order <= s->fp->least_order &&
	       p->score.vs_slots <= least_vertex_slots(s, &p->layout) && p->score.interpolators <= search_least_registers(s, &scalars);
}

/* What is read negated may carry the opposite. */
static void find_opposites(struct search *s)
{
	for (uint32_t q = 0; q < s->state.requests.n; q++) {
		for (unsigned k = 0; k < s->state.requests.at[q].n; k++) {
			struct pattern *p = &s->state.requests.at[q].pattern[k];
			EACH_LANE(l, p->positions)
				p->negated[l] = value_negated(s->values, p->value[l]);
		}
	}
}

/* Anew, in as few registers as it can be: what was packed by and by depends on the way here.  False: it takes more
 * than `most`. */
static bool pack_anew(struct search *s, unsigned most, struct layout *layout)
{
	const struct requests *asked = &s->state.requests;
	unsigned const used = layout_count(&s->state.layout);
	if (used > 1)
		find_opposites(s);
	for (unsigned n = layout_least(asked->at, asked->n); n <= used && n <= most; n++) {
		uint32_t const allowed = n < used ? PACK_STEPS / SHARE_OF_FEWER : PACK_STEPS;
		uint32_t steps = s->effort.leaf_steps < allowed ? s->effort.leaf_steps : allowed, before = steps;
		bool const packed = layout_pack(s->values, asked->at, asked->n, n, &s->facts.start, layout, &steps);
		s->effort.leaf_steps -= before - steps;
		search_spend(s, layout_steps(asked->n, before - steps));
		if (packed)
			return true;
	}
	*layout = s->state.layout;
	return used <= most;
}

/* The plan of an FP of so many instructions, as it is now. */
static struct plan copied(struct arena *a, const struct plan *plan, uint32_t instrs)
{
	struct plan copy = *plan;
	copy.mask = (void *)arena_copy(a, plan->mask, instrs * sizeof *plan->mask);
	copy.supply = (void *)arena_copy(a, plan->supply, instrs * sizeof *plan->supply);
	copy.which = (void *)arena_copy(a, plan->which, instrs * sizeof *plan->which);
	copy.makings.at = (void *)arena_copy(a, plan->makings.at, plan->makings.n * sizeof *plan->makings.at);
	copy.makings.cap = plan->makings.n;
	return copy;
}

/* What writing all programs of a plan takes from the allowance. */
static uint64_t steps_of_writing(const struct search *s)
{
	unsigned const tried = s->facts.count < MOST_FAILED ? s->facts.count : MOST_FAILED;
	return (uint64_t)s->facts.count * PIXEL_STEPS + (uint64_t)s->facts.nvs * tried * VERTEX_STEPS;
}

/* True if this plan is the best so far, and noted as that. */
static bool try_leaf(struct search *s)
{
	uint64_t const least = search_bound(s, -1);
	if (least > s->best.limit || (s->best.plan && least == s->best.plan->score.time && s->effort.equals_left == 0))
		return false;
	unsigned const here = s->values->program;
	bool const equal = is_equal(s);
	struct layout layout;
	if (!pack_anew(s, equal ? s->best.plan->score.interpolators : INTERPOLATORS, &layout)) {
		s->effort.leaves++;
		s->effort.equals_left -= s->effort.equals_left > 0;
		return false;
	}
	if (is_too_long(s, &layout))
		return false;
	s->effort.leaves++;
	layout_number(&layout);
	struct planned p = {.score.interpolators = layout_count(&layout)};
	struct ready ready = {.program = NULL};
	if (equal && is_no_better(s, &layout, p.score.interpolators, &ready)) {
		s->effort.equals_left -= s->effort.equals_left > 0;
		return false;
	}
	search_spend(s, steps_of_writing(s));
	p.result = arena_zero(s->arena, s->facts.nvs * s->values->programs * sizeof *p.result);
	profile_begin(s->facts.options->profile, "pixel program");
	bool good = write_pixel_programs(s, &layout, &p);
	profile_end(s->facts.options->profile);
	if (good && s->best.plan && s->effort.equals_left)
		s->effort.equals_left--;
	good = good && (!s->best.plan || score_compare(&p.score, &s->best.plan->score) < 0) && write_vertex_programs(s, &layout, &ready, &p);
	values_turn(s->values, here);
	if (!good || p.score.time > s->best.limit || (s->best.plan && score_compare(&p.score, &s->best.plan->score) >= 0))
		return false;
	if (!s->best.plan || p.score.time < s->best.plan->score.time)
		s->effort.equals_left = s->facts.options->faster && p.score.time == s->best.limit ? 0 : EQUALS;
	s->best.limit = p.score.time;
	p.layout = layout;
	p.plan = arena_zero(s->arena, s->values->programs * sizeof *p.plan);
	for (unsigned j = 0; j < s->facts.count; j++) {
		unsigned k = s->facts.sequence[j];
		p.plan[k] = copied(s->arena, &s->state.plans[k], s->values->numbering[k].ps->instrs.n);
		p.plan[k].layout = layout;
	}
	s->best.plan = arena_alloc(s->arena, sizeof *s->best.plan);
	*s->best.plan = p;
	if (s->effort.equals_left && is_best_of_its_time(s))
		s->effort.equals_left = 0;
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
