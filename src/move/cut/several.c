/* Goes on from a decided FP to the next, in each way that may be the best.
 *
 * Several FPs share a VP, and so one packing of the interpolators and one search.  Each is decided in its turn, beside the requests of
 * the FPs before it, and such that the FPs to come can still stay as they are (guards).
 * requires: all operands of the current FP decided. */
#include "move/cut/search.h"

#include <string.h>

void search_turn(struct search *s, unsigned at)
{
	unsigned const k = s->facts.sequence[at];
	values_turn(s->values, k);
	s->fp = &s->facts.fps[k];
	s->state.at = at;
	s->state.plan = &s->state.plans[k];
	s->state.demand = s->state.demands[k];
}

/* Removes the guards of the FP that becomes the current one, which are the last. */
static void remove_guards(struct search *s, const struct requests *guards)
{
	struct request *at = s->state.requests.at + s->state.guards;
	memmove(at - guards->n, at, (s->state.requests.n - s->state.guards) * sizeof *at);
	s->state.guards -= guards->n;
	s->state.requests.n -= guards->n;
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

void search_next(struct search *s)
{
	const struct fp_facts *done = s->fp;
	if (s->state.at + 1 == s->facts.count) {
		search_leaf(s);
		return;
	}
	uint64_t const time = search_bound(s, -1) - s->state.others_time, others = s->state.others_time;
	if (time > done->most)
		return;
	unsigned const here = s->state.at, direct = s->state.coords_riding;
	uint32_t const own = s->state.own_from;
	struct work const before = s->state.work;
	search_turn(s, here + 1);
	s->state.others_time += time - s->fp->least;
	s->state.work = (struct work){0};
	s->state.coords_riding = 0;
	remove_guards(s, &s->fp->guards);
	s->state.own_from = s->state.requests.n;
	search_program(s);
	search_add_guards(s, &s->fp->guards);
	s->state.own_from = own;
	s->state.coords_riding = direct;
	s->state.work = before;
	s->state.others_time = others;
	search_turn(s, here);
}
