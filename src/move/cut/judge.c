/* Judges a complete plan.  The plan of a single pair is judged by its values: the slots, the time and the order of reads of its FP, and an
 * estimate of its VP (cover/vertex_estimate.c).  Only if these are better than the best plan's are its programs written, which give the
 * exact score.  Plans of a group are all written.  requires: all operands decided; changes: the best plan, the limit. */
#include "move/cut/search.h"

#include "move/emit/emit.h"

#include "base/profile.h"

#include <limits.h>
#include <string.h>

/* Returns the number of interpolated scalars that the FP of a complete plan reads. */
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

/* Returns the slots of the FP of a complete plan. */
static unsigned pixel_slots(const struct search *s)
{
	unsigned n = s->state.plan->makings.n;
	for (uint32_t k = 0; k < s->fp->ps->instrs.n; k++)
		if (s->state.plan->mask[k] || instr_acts(&s->fp->ps->instrs.at[k]))
			n += instr_slots(&s->fp->ps->instrs.at[k], s->fp->ps->model);
	return n;
}

/* Returns the time of the FP of a complete plan, or without a layout a lower bound of it.  `order` is the length of the
 * longest chain of dependent texture reads: only one read is charged, since the written FP may have a shorter chain than the values. */
static uint64_t pixel_time(const struct search *s, const struct layout *l, unsigned order)
{
	const struct target *t = &s->facts.options->target;
	struct work work = s->fp->fixed;
	work_add(&work, s->state.work);
	work.tex += order > 0 && s->fp->least_order == 0 ? (uint64_t)t->order * TARGET_UNIT : 0;
	if (t->varying && l)
		work_add(&work, target_varyings(t, scalars_read(s, l) + s->fp->colours));
	return target_time(t, &work);
}

/* ---- what the VP cannot do ------------------------------------------------------------------- */

static bool is_one_pair(const struct search *s)
{
	return s->facts.count == 1 && s->facts.nvs == 1;
}

static bool can_deliver(const struct search *s, const struct layout *layout)
{
	struct move_result notes = {0};
	return delivery_program(s->facts.vertex[0], layout, &notes) != NULL;
}

static bool can_deliver_requests(const struct search *s, uint32_t n)
{
	struct layout layout;
	uint32_t steps = PACK_STEPS;
	return !layout_pack(s->values, s->state.requests.at, n, s->facts.options->budget.texcoords, &s->facts.start, &layout, &steps) ||
	       can_deliver(s, &layout);
}

/* Finds by bisection the first request that the VP cannot deliver together with those before it, so that no other plan with the same first
 * requests is looked at.  Notes those values of the request that the VP cannot even deliver alone, so that no plan requests them again. */
static void learn_undeliverable(struct search *s)
{
	uint32_t good = 0, bad = s->state.requests.n;
	if (!can_deliver_requests(s, 0) || can_deliver_requests(s, bad))
		return; /* no request is at fault: the VP is too long without any, or fits with all if they are packed anew */
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

/* Writes all FPs of the plan, and adds their time without the VPs to the score.  Returns false if one of them cannot be written, has too many
 * dependent texture reads in a row, or, in a group, takes longer than as given. */
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
		if (program_dependent_reads(r->ps) > model_order(r->ps->model))
			return false; /* values in other registers than before can make a texture read depend on more reads */
		uint64_t time = target_pair(&s->facts.options->target, s->facts.vs[0], r->ps, UINT_MAX);
		if (s->facts.count > 1 && time > s->facts.fps[k].most)
			return false;
		p->score.time += time;
		p->score.ps_slots += program_total_slots(r->ps);
		p->score.order += is_one_pair(s) ? 0 : program_reads_in_a_row(r->ps); /* is_promising() has found the order of a single pair */
	}
	return true;
}

/* Returns the shortest new version of VP number v that delivers the layout, and its new constants and folds in `notes`; NULL if there is none.
 * It computes values as one of the FPs does; of many FPs only the first are tried (MOST_FAILED).  Returns a copy of a VP that may not change. */
static struct program *write_vertex_program(struct search *s, const struct layout *layout, unsigned v, struct move_result *notes)
{
	struct program *best = s->facts.options[v].vp_stays ? program_copy(s->arena, s->facts.vs[v]) : NULL;
	if (best)
		return best;
	for (unsigned j = 0, failed = 0; j < s->facts.count && failed < MOST_FAILED; j++) {
		struct move_result own = {0};
		values_turn(s->values, s->facts.sequence[j]);
		struct program *p = delivery_program(s->facts.vertex[v], layout, &own);
		if (!p && is_one_pair(s))
			learn_undeliverable(s);
		if (!p || (best && program_total_slots(p) >= program_total_slots(best))) {
			failed++;
			continue;
		}
		best = p;
		*notes = own;
	}
	return best;
}

/* Writes all VPs, adds their slots to the score, and sets its time to the time with them.  Returns false if a VP cannot be written. */
static bool write_vertex_programs(struct search *s, const struct layout *layout, struct planned *p)
{
	uint64_t time = 0;
	for (unsigned v = 0; v < s->facts.nvs; v++) {
		struct move_result notes = {0};
		struct program *vs = write_vertex_program(s, layout, v, &notes);
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

/* ---- estimating ------------------------------------------------------------------------------ */

/* Returns a lower bound of the VP's slots: those that serve other outputs than interpolators, and one for each used interpolator that is
 * not pinned. */
static unsigned least_vertex_slots(const struct search *s, const struct layout *layout)
{
	unsigned n = s->facts.least_vertex;
	for (unsigned r = 0; r < INTERPOLATORS; r++)
		n += layout_used(layout, r) && !layout->pinned[r];
	return n;
}

/* Returns true if it is certain that no plan of the best one's time has a better score.  That is found only for a single pair and a target that
 * counts FP slots alone. */
static bool is_best_of_its_time(const struct search *s)
{
	const struct planned *p = s->best.plan;
	unsigned scalars;
	return is_one_pair(s) && s->facts.slots_only && p->score.order <= s->fp->least_order &&
	       p->score.vs_slots <= least_vertex_slots(s, &p->layout) && p->score.interpolators <= search_least_registers(s, &scalars);
}

/* Returns the score of a complete plan of one pair, by the values of its FP, without what depends on interpolators and the VP.  The number of
 * dependent reads in a row takes longer to find than all the rest, so it is replaced by its lower bound if the best plan has no more than that. */
static struct score expect_pixel(const struct search *s)
{
	bool const bounded = s->best.plan && s->best.plan->expected.order <= s->fp->least_order;
	unsigned const order = bounded ? s->fp->least_order : search_order_after(s, -1);
	return (struct score){.time = pixel_time(s, NULL, order), .ps_slots = pixel_slots(s), .order = order};
}

/* Returns true if no plan of this score or a higher one is better than the best. */
static bool is_worse(const struct search *s, const struct score *least)
{
	return least->time > s->best.limit || (s->best.plan && score_compare(least, &s->best.plan->expected) >= 0);
}

/* Adds what depends on interpolators and the VP to the score.  Estimates the VP only if the comparison with the best plan depends on its slots.
 * Returns false if the plan is not better than the best. */
static bool expect_vertex(const struct search *s, const struct layout *layout, struct score *score)
{
	const struct move_options *o = s->facts.options;
	const struct target *t = &o->target;
	unsigned const pixels = o->pixels_per_vertex ? o->pixels_per_vertex : 1;
	score->interpolators = layout_count(layout);
	score->time += (uint64_t)t->interpolator * score->interpolators * TARGET_UNIT / pixels;
	if (o->vp_stays) {
		score->order = search_order_after(s, -1);
		return !is_worse(s, score);
	}
	score->vs_slots = least_vertex_slots(s, layout);
	if (is_worse(s, score))
		return false;
	score->vs_slots = delivery_estimate(s->facts.vertex[0], layout);
	score->time += (uint64_t)t->vertex * score->vs_slots * TARGET_UNIT / pixels;
	if (is_worse(s, score))
		return false;
	score->order = search_order_after(s, -1);
	return !is_worse(s, score);
}

/* Numbers the opposites of all values that are requested, so that interpolators may carry these instead. */
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

/* Packs all requests of the plan anew, together, if that may take fewer interpolators than packing them one by one did.  Returns false if the
 * layout takes more than `most`. */
static bool pack_anew(struct search *s, unsigned most, struct layout *layout)
{
	const struct requests *asked = &s->state.requests;
	unsigned const used = layout_count(&s->state.layout), least = layout_least(asked->at, asked->n);
	if (used > least)
		find_opposites(s);
	unsigned const first = s->facts.options->target.varying ? used : least; /* a target that charges for scalars gains nothing by fewer registers */
	for (unsigned n = first; used > least && n <= used && n <= most; n++) {
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

/* Returns a copy of the plan for an FP that has `instrs` instructions. */
static struct plan copy_plan(struct arena *a, const struct plan *plan, uint32_t instrs)
{
	struct plan copy = *plan;
	copy.mask = (void *)arena_copy(a, plan->mask, instrs * sizeof *plan->mask);
	copy.supply = (void *)arena_copy(a, plan->supply, instrs * sizeof *plan->supply);
	copy.which = (void *)arena_copy(a, plan->which, instrs * sizeof *plan->which);
	copy.makings.at = (void *)arena_copy(a, plan->makings.at, plan->makings.n * sizeof *plan->makings.at);
	copy.makings.cap = plan->makings.n;
	return copy;
}

/* Returns the steps of the allowance that are charged for writing all programs of a plan. */
static uint64_t steps_of_writing(const struct search *s)
{
	unsigned const tried = s->facts.count < MOST_FAILED ? s->facts.count : MOST_FAILED;
	return (uint64_t)s->facts.count * PIXEL_STEPS + (uint64_t)s->facts.nvs * tried * VERTEX_STEPS;
}

/* Counts a complete plan against the limits of judged plans. */
static void count_leaf(struct search *s)
{
	s->effort.leaves++;
	s->effort.equals_left -= s->effort.equals_left > 0;
}

/* Packs the plan of one pair.  Returns true if its expected score, which is found without writing it, is better than the best plan's. */
static bool is_promising(struct search *s, struct layout *layout, struct score *expected)
{
	*expected = expect_pixel(s);
	bool const worse = is_worse(s, expected);
	const struct score *best = s->best.plan ? &s->best.plan->expected : NULL;
	bool const equal = best && !s->facts.options->target.varying && expected->time == best->time && expected->ps_slots == best->ps_slots &&
	                   expected->order == best->order;
	bool const packed = !worse && pack_anew(s, equal ? best->interpolators : INTERPOLATORS, layout);
	if (packed)
		expected->time = pixel_time(s, layout, expected->order);
	if (expected->time > s->best.limit)
		return false;
	count_leaf(s);
	if (!packed)
		return false;
	layout_number(layout);
	return expect_vertex(s, layout, expected);
}

/* Writes all programs of the plan into p->result, and the exact score into p->score.  Returns true if the plan is the best so far. */
static bool write_programs(struct search *s, const struct layout *layout, struct planned *p)
{
	unsigned const here = s->values->program;
	search_spend(s, steps_of_writing(s));
	p->score.interpolators = layout_count(layout);
	p->result = arena_zero(s->arena, s->facts.nvs * s->values->programs * sizeof *p->result);
	profile_begin(s->facts.options->profile, "pixel program");
	bool good = write_pixel_programs(s, layout, p);
	profile_end(s->facts.options->profile);
	good = good && (!s->best.plan || score_compare(&p->score, &s->best.plan->score) < 0) && write_vertex_programs(s, layout, p);
	values_turn(s->values, here);
	return good && p->score.time <= s->best.limit && (!s->best.plan || score_compare(&p->score, &s->best.plan->score) < 0);
}

/* Makes the plan the best one, with copies of all that it needs. */
static void adopt_plan(struct search *s, const struct layout *layout, struct planned *p)
{
	if (!s->best.plan || p->score.time < s->best.plan->score.time)
		s->effort.equals_left = s->facts.options->faster && p->score.time == s->best.limit ? 0 : EQUALS;
	s->best.limit = p->score.time;
	p->layout = *layout;
	p->plan = arena_zero(s->arena, s->values->programs * sizeof *p->plan);
	for (unsigned j = 0; j < s->facts.count; j++) {
		unsigned k = s->facts.sequence[j];
		p->plan[k] = copy_plan(s->arena, &s->state.plans[k], s->values->numbering[k].ps->instrs.n);
		p->plan[k].layout = *layout;
	}
	s->best.plan = (void *)arena_copy(s->arena, p, sizeof *p);
	search_extend_part(s);
	if (s->effort.equals_left && is_best_of_its_time(s))
		s->effort.equals_left = 0;
}

/* Judges the plan, and keeps it if it is the best so far.  Returns true if it was kept. */
static bool try_leaf(struct search *s)
{
	uint64_t const least = search_bound(s, -1);
	if (least > s->best.limit || (s->best.plan && least == s->best.plan->score.time && s->effort.equals_left == 0))
		return false;
	struct layout layout;
	struct planned p = {.result = NULL};
	if (is_one_pair(s)) {
		if (!is_promising(s, &layout, &p.expected))
			return false;
	} else {
		count_leaf(s);
		pack_anew(s, INTERPOLATORS, &layout);
		layout_number(&layout);
	}
	p.score.order = p.expected.order;
	if (!write_programs(s, &layout, &p))
		return false;
	unsigned const vs_slots = p.expected.vs_slots;
	p.expected = p.score;
	p.expected.vs_slots = vs_slots; /* stays an estimate, since it is compared with those of other plans */
	adopt_plan(s, &layout, &p);
	return true;
}

/* Judges the plan.  Frees all memory that was taken for it if it is not kept, unless new values were numbered, which are in that memory. */
void search_leaf(struct search *s)
{
	struct arena_mark before = arena_mark(s->arena);
	uint32_t values = s->values->all.n;
	if (!try_leaf(s) && s->values->all.n == values)
		arena_release(s->arena, before);
}
