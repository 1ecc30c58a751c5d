/* A complete plan: written out as far as it takes to see that it is no better than the best so far.
 * requires: all operands decided; changes: the best plan, the limit. */
#include "move/search.h"

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
	for (uint32_t q = 0; q < s->requests.n; q++) {
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
	uint64_t least = s->base + s->cost + (uint64_t)t->varying * scalars_read(s, l) * TARGET_UNIT;
	return t->varying && (least > s->limit || (s->best && least == s->best->time && s->ties == 0));
}

/* True if this plan is the best so far, and noted as that. */
static bool try_leaf(struct search *s)
{
	struct plan plan = s->plan;
	/* Anew, in as few registers as it can be: what was packed by and by depends on the way here. */
	unsigned used = used_registers(&s->plan.layout);
	for (unsigned n = layout_least(s->requests.at, s->requests.n); n <= used; n++) {
		uint32_t work = n < used ? PACK_WORK / 8 : PACK_WORK;
		if (layout_pack(s->values, s->requests.at, s->requests.n, n, &s->start, &plan.layout, &work))
			break;
	}
	if (is_too_long(s, &plan.layout))
		return false;
	s->leaves++;
	number_registers(&plan.layout);
	struct planned p = {.registers = used_registers(&plan.layout)};
	p.result = arena_zero(s->arena, sizeof *p.result);
	p.result->ps = plan_pixel_program(s->values, &plan, p.result);
	if (!p.result->ps)
		return false;
	p.ps_slots = program_total_slots(p.result->ps);
	p.order = program_dependent_reads(p.result->ps);
	if (p.order > models[PS_2_0].order)
		return false; /* new registers for old values can make reads overwrite what depends */
	p.time = target_pair(&s->options->target, s->vs, p.result->ps, UINT_MAX);
	if (s->best && s->ties)
		s->ties--;
	if (s->best && !better(&p, s->best))
		return false;
	p.result->vs = plan_vertex_program(s->vertex, &plan, most_vertex_slots(s, &p), p.result);
	if (!p.result->vs)
		return false;
	p.vs_slots = program_total_slots(p.result->vs);
	p.time = target_pair(&s->options->target, p.result->vs, p.result->ps, s->options->pixels_per_vertex);
	if (p.time > s->limit || (s->best && !better(&p, s->best)))
		return false;
	if (!s->best || p.time < s->best->time)
		s->ties = TIES;
	s->limit = p.time;
	uint32_t n = s->ps->instrs.n;
	p.mask = (lanes *)(void *)arena_copy(s->arena, plan.mask, n);
	s->best = arena_alloc(s->arena, sizeof *s->best);
	*s->best = p;
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
