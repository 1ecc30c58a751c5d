/* --shared-vp and --shared-fp, see shared.h.
 *
 * A vertex program is shared by moving from one pixel program after the other into it: -O1
 * only adds to a vertex program, and takes outputs and constants that it does not use, so
 * that what it did for the pixel programs before stays.  That is not trusted: after each
 * step every pair is proven again, and a step that breaks one is not taken.
 *
 * A pixel program is shared by moving only so much that it comes out the same with every
 * vertex program. */
#include "cli/shared.h"

#include <string.h>

static bool is_done(const struct run *r)
{
	return r->status == RUN_IMPROVED || r->status == RUN_UNCHANGED;
}

static struct run_options *at_most(const struct run *r, int level)
{
	struct run_options *o = arena_alloc(r->arena, sizeof *o);
	*o = *r->options;
	if (o->move.level > level)
		o->move.level = level;
	return o;
}

static struct proof prove_run(const struct run *r, const struct program *vs_old, const struct program *vs_new)
{
	struct proof_context context = {0};
	if (r->moved) {
		context.consts = r->moved->consts.at;
		context.nconsts = r->moved->consts.n;
		context.folds = r->moved->folds.at;
		context.nfolds = r->moved->folds.n;
	}
	return prove(r->arena, (struct pair){vs_old, r->ps}, (struct pair){vs_new, r->ps_new}, &context);
}

/* The run's pixel program with the vertex program as it is by now. */
static struct run try_step(const struct run *r, const struct source *vs, int level)
{
	struct source *pair = arena_alloc(r->arena, 2 * sizeof *pair);
	struct run step;
	pair[0] = *vs;
	pair[1] = r->sources[1];
	run_init(&step, r->arena, pair, 2, at_most(r, level));
	run_all(&step);
	return step;
}

static bool all_hold(const struct run *steps, uint32_t n, const struct program *vs_old, const struct program *vs_new)
{
	for (uint32_t i = 0; i < n; i++)
		if (is_done(&steps[i]) && !prove_run(&steps[i], vs_old, vs_new).equal)
			return false;
	return true;
}

/* What a step found becomes the run's result, with the vertex program that is last. */
static void take_result(struct run *r, const struct run *step, const struct run *last)
{
	bool moved = step->moved && step->moved->moved;
	r->options = step->options;
	r->ps = step->ps;
	r->moved = step->moved;
	r->ps_out = step->ps_out;
	r->ps_text = step->ps_text;
	r->ps_new = step->ps_new;
	r->ps_before = step->ps_before;
	r->ps_after = step->ps_after;
	r->vs_out = last->vs_out;
	r->vs_text = last->vs_text;
	r->vs_new = last->vs_new;
	r->vs_after = last->vs_after;
	r->proof = prove_run(r, r->vs, r->vs_new);
	r->proved = true;
	r->status = !r->proof.equal ? RUN_FAILED : moved || step->status == RUN_IMPROVED ? RUN_IMPROVED : RUN_UNCHANGED;
	r->fault = r->proof.equal ? NULL : r->proof.why;
}

/* Moves from the pixel programs into the vertex program, in this order.  The steps of those
 * that cannot be served are not done. */
struct chain {
	struct run *steps;
	const struct run *last; /* NULL: none was done */
	unsigned long slots;    /* of all pixel programs */
};

static struct chain make_chain(struct run *runs, uint32_t n, const uint32_t *order)
{
	struct chain c = {arena_zero(runs[0].arena, n * sizeof *c.steps), NULL, 0};
	struct source vs = runs[0].sources[0];
	for (uint32_t i = 0; i < n; i++)
		c.steps[i].status = RUN_REJECTED;
	for (uint32_t k = 0; k < n; k++) {
		struct run *step = &c.steps[order[k]];
		const struct run *r = &runs[order[k]];
		if (r->diags.errors)
			continue;
		bool served = false;
		for (int level = 1; level >= 0 && !served; level--) {
			*step = try_step(r, &vs, level);
			served = is_done(step) && all_hold(c.steps, n, r->vs, step->vs_new);
		}
		if (!served) {
			step->fault = is_done(step) ? "the programs cannot share a vertex program" : step->fault;
			step->status = is_done(step) ? RUN_FAILED : step->status;
			continue;
		}
		c.last = step;
		c.slots += step->ps_after.slots;
		vs = (struct source){.name = vs.name, .text = step->vs_text.at, .size = step->vs_text.n};
	}
	return c;
}

/* Those first that save most for each interpolator they take. */
static void order_by_gain(struct run *runs, uint32_t n, uint32_t *order)
{
	double *gain = arena_zero(runs[0].arena, n * sizeof *gain);
	for (uint32_t i = 0; i < n; i++) {
		order[i] = i;
		if (runs[i].diags.errors)
			continue;
		struct run alone = try_step(&runs[i], &runs[i].sources[0], 1);
		if (!is_done(&alone))
			continue;
		int saved = (int)alone.ps_before.slots - (int)alone.ps_after.slots;
		int taken = (int)alone.ps_after.inputs - (int)alone.ps_before.inputs;
		gain[i] = saved / (double)(taken > 0 ? taken : 1);
	}
	for (uint32_t i = 1; i < n; i++)
		for (uint32_t k = i; k > 0 && gain[order[k]] > gain[order[k - 1]]; k--) {
			uint32_t swap = order[k];
			order[k] = order[k - 1];
			order[k - 1] = swap;
		}
}

void shared_vp_run(struct run *runs, uint32_t n)
{
	if (!n)
		return;
	struct arena *a = runs[0].arena;
	uint32_t *given = arena_alloc(a, n * sizeof *given), *by_gain = arena_alloc(a, n * sizeof *by_gain);
	for (uint32_t i = 0; i < n; i++) {
		given[i] = i;
		/* The first steps by themselves: diagnostics and counts of the programs as given. */
		for (unsigned k = 0; !runs[i].diags.errors && strcmp(pipeline[k].name, "move") != 0; k++)
			if (!pipeline[k].run(&runs[i]))
				break;
	}
	order_by_gain(runs, n, by_gain);
	struct chain best = make_chain(runs, n, by_gain), other = make_chain(runs, n, given);
	if (!best.last || (other.last && other.slots < best.slots))
		best = other;
	for (uint32_t i = 0; i < n; i++) {
		struct run *r = &runs[i], *step = &best.steps[i];
		if (r->diags.errors)
			continue;
		if (is_done(step)) {
			take_result(r, step, best.last);
			continue;
		}
		/* Too long to fit at -O1, for one. */
		for (uint32_t k = 0; k < step->diags.n; k++)
			VEC_PUSH(a, &r->diags) = step->diags.at[k];
		r->diags.errors += step->diags.errors;
		r->status = step->status;
		r->fault = step->fault;
	}
}

/* Do all done runs have the same new pixel program? */
static bool same_pixel_program(const struct run *runs, uint32_t n)
{
	const struct text *first = NULL;
	for (uint32_t i = 0; i < n; i++) {
		if (!is_done(&runs[i]))
			continue;
		if (!first)
			first = &runs[i].ps_text;
		else if (runs[i].ps_text.n != first->n || memcmp(runs[i].ps_text.at, first->at, first->n) != 0)
			return false;
	}
	return true;
}

static void run_again(struct run *r, struct run_options *o)
{
	run_init(r, r->arena, r->sources, r->nsources, o);
	run_all(r);
}

void shared_fp_run(struct run *runs, uint32_t n)
{
	unsigned most = 0;
	for (uint32_t i = 0; i < n; i++)
		if (!runs[i].diags.errors)
			run_all(&runs[i]);
	if (same_pixel_program(runs, n))
		return;
	for (uint32_t i = 0; i < n; i++) {
		if (!is_done(&runs[i]))
			continue;
		run_again(&runs[i], at_most(&runs[i], 1));
		if (runs[i].moved && runs[i].moved->moved > most)
			most = runs[i].moved->moved;
	}
	for (unsigned moves = most; !same_pixel_program(runs, n) && moves-- > 0;)
		for (uint32_t i = 0; i < n; i++) {
			if (!is_done(&runs[i]))
				continue;
			struct run_options *o = at_most(&runs[i], 1);
			o->move.max_moves = moves;
			o->given |= GIVEN_MAX_MOVES;
			run_again(&runs[i], o);
		}
}
