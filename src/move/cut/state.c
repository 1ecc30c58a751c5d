/* Reads and changes the state of a search: what stays by the choices so far, and what a choice changes. */
#include "move/cut/search.h"

#include <string.h>

/* ---- what a choice changes ------------------------------------------------------------------------ */

void search_mark(const struct search *s, struct search_mark *m)
{
	m->requests = s->state.requests.n;
	m->makings = s->state.plan->makings.n;
	m->trail = s->state.trail.n;
	m->work = s->state.work;
	m->coords_riding = s->state.coords_riding;
	m->layout = s->state.layout;
	m->taken = s->state.taken.n;
}

void search_undo(struct search *s, const struct search_mark *m)
{
	while (s->state.trail.n > m->trail) {
		const struct change *c = &s->state.trail.at[--s->state.trail.n];
		*c->at = c->old;
	}
	s->state.requests.n = m->requests;
	if (s->state.requests.n < s->state.undeliverable)
		s->state.undeliverable = 0;
	while (s->state.refused.n && s->state.refused.at[s->state.refused.n - 1].behind > m->requests)
		s->state.refused.n--;
	s->state.plan->makings.n = m->makings;
	s->state.work = m->work;
	s->state.coords_riding = m->coords_riding;
	s->state.layout = m->layout;
	while (s->state.taken.n > m->taken) {
		const struct taken *t = &s->state.taken.at[--s->state.taken.n];
		memcpy(s->state.plan->consts[t->reg], t->old, sizeof t->old);
		if (search_is_empty(t->old))
			s->state.plan->filled_consts &= ~(UINT64_C(1) << t->reg);
	}
}

void search_change(struct search *s, lanes *at, lanes more)
{
	VEC_PUSH(s->arena, &s->state.trail) = (struct change){at, *at};
	*at |= more;
}

void search_turn(struct search *s, unsigned at)
{
	unsigned const k = s->facts.sequence[at];
	values_turn(s->values, k);
	s->fp = &s->facts.fps[k];
	s->state.at = at;
	s->state.plan = &s->state.plans[k];
	s->state.demand = s->state.demands[k];
}

void search_add_guards(struct search *s, const struct requests *guards)
{
	if (!guards->n)
		return;
	for (uint32_t q = 0; q < guards->n; q++)
		VEC_PUSH(s->arena, &s->state.requests) = guards->at[q];
	struct request *at = s->state.requests.at + s->state.guards;
	memmove(at + guards->n, at, (s->state.requests.n - s->state.guards - guards->n) * sizeof *at);
	memcpy(at, guards->at, guards->n * sizeof *at);
	s->state.guards += guards->n;
}

/* ---- what stays ------------------------------------------------------------------------------------ */

bool search_is_open(const struct search *s, int i)
{
	return search_is_root(s, i) && s->fp->choice[s->fp->sites->of[i] - 1] == OPEN_SITE;
}

int search_chosen(const struct search *s, int i)
{
	return !search_is_root(s, i) || search_is_open(s, i) ? i : (int)search_site(s, i)->at[s->fp->choice[s->fp->sites->of[i] - 1]];
}

static struct work work_as(const struct search *s, uint32_t alternative, lanes wanted)
{
	const struct instr *instr = &s->fp->ps->instrs.at[alternative];
	return target_instr(&s->facts.options->target, instr, s->fp->ps->model, least_mask(s->fp->ps, instr, wanted));
}

static void lower_to(uint64_t *least, uint64_t to)
{
	*least = to < *least ? to : *least;
}

struct work search_work_of(const struct search *s, int i)
{
	lanes const wanted = s->fp->pixel[i] | s->state.demand[i];
	if (search_chosen(s, i) != i)
		return (struct work){0};
	struct work least = work_as(s, (uint32_t)i, wanted);
	for (unsigned a = 1; search_is_open(s, i) && a < search_site(s, i)->n; a++) {
		struct work const other = work_as(s, search_site(s, i)->at[a], wanted);
		lower_to(&least.arith, other.arith);
		lower_to(&least.special, other.special);
		lower_to(&least.tex, other.tex);
		lower_to(&least.varying, other.varying);
		lower_to(&least.pixel, other.pixel);
		lower_to(&least.kills, other.kills);
	}
	return least;
}

static bool has_visible_effect(const struct instr *i)
{
	return instr_acts(i) ||
	       (instr_writes(i) && (i->dst.file == REG_PIXEL_OUT || i->dst.file == REG_DEPTH_OUT));
}

bool search_stays_anyway(const struct search *s, int i)
{
	return s->fp->pixel[i] || has_visible_effect(&s->fp->ps->instrs.at[i]);
}

bool search_stays(const struct search *s, int i)
{
	return s->state.demand[i] || search_stays_anyway(s, i);
}

bool search_reads_anyway(const struct search *s, int i)
{
	return search_stays_anyway(s, i) && !search_is_open(s, i) && search_chosen(s, i) == i;
}

int search_opaque_register(const struct search *s, int i)
{
	const struct instr *instr = &s->fp->ps->instrs.at[i];
	EACH_SOURCE(k, instr) {
		const struct src *src = &instr->src[k];
		if (src->file == REG_TEXCOORD && src->index < INTERPOLATORS &&
		    instr_reads(s->fp->ps, instr, k) & s->values->inputs.opaque[src->index])
			return src->index;
	}
	return -1;
}

bool search_written_beside(const struct search *s, int i, int reg, unsigned lane, int def)
{
	for (uint32_t t = 0; t < s->state.plan->makings.n; t++) {
		const struct making *m = &s->state.plan->makings.at[t];
		if (m->reg == reg && m->pattern.positions >> lane & 1 && m->after >= def && m->after < i)
			return true;
	}
	return false;
}

/* ---- requests and hashes --------------------------------------------------------------------------- */

bool search_is_empty(const value_id reg[LANES])
{
	return reg[0] == NO_VALUE && reg[1] == NO_VALUE && reg[2] == NO_VALUE && reg[3] == NO_VALUE;
}

bool search_same_request(const struct request *a, const struct request *b)
{
	if (a->n != b->n)
		return false;
	for (unsigned k = 0; k < a->n; k++) {
		const struct pattern *p = &a->pattern[k], *q = &b->pattern[k];
		if (p->positions != q->positions || p->reach != q->reach)
			return false;
		EACH_LANE(lane, p->positions)
			if (p->value[lane] != q->value[lane])
				return false;
	}
	return true;
}

uint64_t search_hash_of_request(const struct request *q, bool signs)
{
	uint64_t h = 1;
	for (unsigned k = 0; k < q->n; k++) {
		const struct pattern *p = &q->pattern[k];
		h = search_hash_of_lanes(search_mix(h, p->reach), p->positions, p->value);
		h = signs ? search_hash_of_lanes(h, p->positions, p->negated) : h;
	}
	return search_mix(h, 0);
}

uint64_t search_hash_of_requests(const struct search *s, bool signs)
{
	uint64_t sum = 0;
	for (uint32_t q = s->state.own_from; q < s->state.requests.n; q++)
		sum += search_hash_of_request(&s->state.requests.at[q], signs);
	return sum;
}
