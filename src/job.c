/* Takes runs through the pipeline, alone or planned together, see job.h. */
#include "job.h"

#include <string.h>

/* Runs steps `from` .. `to` - 1 of the pipeline.  Returns false if the run ended at one of them. */
static bool run_some(struct run *r, unsigned from, unsigned to)
{
	for (unsigned k = from; k < to; k++)
		if (!run_step(r, k))
			return false;
	return true;
}

/* Returns false, and reports an error, if the run has the FP in its first source: the shared program is told by the order of sources. */
static bool in_order(struct run *r)
{
	if (!r->ps_first)
		return true;
	diag_add(&r->diags, DIAG_ERROR, NULL, r->ps->source, r->ps->at, "a pixel program in the place of the vertex program");
	return false;
}

/* Rejects all other runs that are done, with an error that names the failed run. */
static void reject_others(struct run *runs, uint32_t n, const struct run *failed)
{
	for (uint32_t i = 0; i < n; i++) {
		struct run *r = &runs[i];
		if (r == failed || !run_is_done(r))
			continue;
		diag_add(&r->diags, DIAG_ERROR, NULL, r->ps->source, r->ps->at,
		         "it shares a program with %s and %s, which failed, so that none of these is written",
		         failed->vs->source->name, failed->ps->source->name);
		r->status = RUN_REJECTED;
	}
}

/* Returns true if the run's new text of the shared program is the same as the first run's, since only one text is written for all.  Else the run
 * fails. */
static bool proves_one_text(const struct run *first, struct run *r, bool same_vs)
{
	const struct text *a = same_vs ? &first->vs_text : &first->ps_text, *b = same_vs ? &r->vs_text : &r->ps_text;
	if (a->n == b->n && memcmp(a->at, b->at, a->n) == 0)
		return true;
	r->status = RUN_FAILED;
	r->fault = "the shared program that is proven is not the one that is written";
	return false;
}

/* Returns true if the run keeps its given programs at a level above -O0, for example since the proof doubted the new ones, or these did not link
 * or fit. */
static bool is_doubted(const struct run *r)
{
	return r->kept && r->options->move.level > 0;
}

/* Makes the given programs of all runs the results again if `doubts` is set, if one of the runs keeps its given programs (is_doubted), or if
 * nothing moved and no pair gains.  Returns the run for which that failed, or NULL. */
static const struct run *take_given(struct run *const *runs, uint32_t n, bool doubts)
{
	bool gains = false;
	for (uint32_t i = 0; i < n; i++) {
		doubts |= is_doubted(runs[i]);
		gains |= runs[i]->status != RUN_UNCHANGED || !runs[i]->moved || runs[i]->moved->moved > 0;
	}
	for (uint32_t i = 0; (doubts || !gains) && i < n; i++)
		if (!run_take_given(runs[i]))
			return runs[i];
	return NULL;
}

/* The runs of a job: `live` ones are planned together, and `staying` ones have pixel programs that stay as they are. */
struct parts {
	struct run **live, **staying;
	uint32_t nlive, nstaying;
	bool proves_later; /* see struct job */
	bool same_vs; /* true if all runs share one vertex program; each may have read a copy of its text */
};

static bool same_vertex_program(const struct parts *p, const struct run *a, const struct run *b)
{
	return p->same_vs || a->sources[0].text == b->sources[0].text;
}

/* Makes those of the planned vertex programs that the staying run is drawn with keep the outputs that its pixel program reads. */
static void promise(const struct parts *p, const struct run *staying)
{
	for (uint32_t i = 0; i < p->nlive; i++)
		if (same_vertex_program(p, p->live[i], staying))
			run_promise(p->live[i], staying);
}

/* Takes all runs of a job through the steps before STEP_MOVE.  Lists the runs to be planned, without rejected ones, and the runs whose pixel
 * programs stay, including rejected ones. */
static void read_runs(const struct job *job, struct parts *p)
{
	struct run *const runs = job->runs;
	struct arena *a = runs[0].arena;
	p->live = arena_alloc(a, job->n * sizeof *p->live);
	p->staying = arena_alloc(a, (job->n + job->staying) * sizeof *p->staying);
	p->nlive = p->nstaying = 0;
	p->same_vs = job->same_vs;
	p->proves_later = job->proves_later;
	for (uint32_t i = 0; i < job->n; i++)
		if (!runs[i].diags.errors && run_some(&runs[i], 0, STEP_MOVE) && in_order(&runs[i]))
			p->live[p->nlive++] = &runs[i];
	for (uint32_t i = job->n; i < job->n + job->staying; i++) {
		p->staying[p->nstaying++] = &runs[i];
		if (!runs[i].diags.errors && run_some(&runs[i], 0, STEP_MOVE) && in_order(&runs[i]))
			promise(p, &runs[i]);
	}
}

/* Moves the runs marked `leaves` from the live ones to the staying ones.  Returns true if there were any. */
static bool part(struct parts *p)
{
	uint32_t const before = p->nlive;
	uint32_t const known = p->nstaying;
	p->nlive = 0;
	for (uint32_t i = 0; i < before; i++) {
		struct run *r = p->live[i];
		if (r->leaves)
			p->staying[p->nstaying++] = r;
		else
			p->live[p->nlive++] = r;
	}
	for (uint32_t k = known; k < p->nstaying; k++)
		promise(p, p->staying[k]);
	return p->nlive < before;
}

/* Gives each staying run the new version of its vertex program, and proves it with the run's pixel program; leaves out runs with errors, and with
 * `proves_later` all but those marked `leaves`.  A run marked `leaves` whose vertex program has no new version is written as given.  Returns
 * false if a proof failed. */
static bool serve(const struct parts *p)
{
	bool all = true;
	for (uint32_t k = 0; k < p->nstaying; k++) {
		struct run *r = p->staying[k];
		bool done = r->diags.errors > 0 || (p->proves_later && !r->leaves);
		for (uint32_t i = 0; i < p->nlive && !done; i++) {
			done = same_vertex_program(p, p->live[i], r);
			all &= !done || run_serve(r, p->live[i]);
		}
		all &= done || !r->leaves || run_take_given(r);
	}
	return all;
}

/* GROUP_STEPS limits the search steps of all plans of one group (runs that are planned together).  If runs are rejected, the group is planned
 * again without them, so each plan leaves 1/LATER_SHARE of the remaining steps for later plans. */
enum { GROUP_STEPS = 240000000, LATER_SHARE = 3 };

static bool run_together(const struct job *job)
{
	struct run *const runs = job->runs;
	uint32_t const n = job->n, staying = job->staying;
	struct allowance allowance = {.left = GROUP_STEPS, .all = GROUP_STEPS, .tell = job->tell, .who = job->who};
	struct parts parts;
	read_runs(job, &parts);
	struct run **const live = parts.live;
	/* Drops the runs that were rejected and plans the rest again, since more may move without them.  Plans all again if the plan needs a VP
	 * constant that no name sets (`again`); the FP constant is then withheld. */
	bool again = false;
	for (uint32_t before = parts.nlive + 1; parts.nlive && (again || parts.nlive < before);) {
		uint32_t served = 0;
		const struct run *failed = NULL;
		before = parts.nlive;
		again = false;
		allowance.later = allowance.left / LATER_SHARE;
		run_move_together(live, before, job->same_vs, &allowance);
		if (part(&parts)) {
			if (allowance.stopped)
				return false;
			continue;
		}
		for (uint32_t i = 0; i < before; i++) {
			if (again) {
				live[served++] = live[i];
				continue;
			}
			if (allowance.stopped || !job->tell(job->who, &allowance))
				return false;
			live[i]->again = false;
			if (run_some(live[i], STEP_MOVE + 1, STEPS) &&
			    (is_doubted(live[i]) || is_doubted(live[0]) || proves_one_text(live[served ? 0 : i], live[i], job->same_vs)))
				live[served++] = live[i];
			else if (live[i]->status == RUN_FAILED)
				failed = live[i];
			again = live[i]->again;
			if (again)
				live[served++] = live[i];
		}
		if (failed) {
			reject_others(runs, n, failed);
			return true;
		}
		parts.nlive = served;
	}
	const struct run *failed = take_given(live, parts.nlive, false);
	if (!failed && !serve(&parts)) {
		failed = take_given(live, parts.nlive, true);
		for (uint32_t k = 0; k < parts.nstaying && !failed; k++)
			failed = parts.staying[k]->diags.errors || run_take_given(parts.staying[k]) ? NULL : parts.staying[k];
	}
	if (failed)
		reject_others(runs, n + staying, failed);
	return true;
}

bool job_run(const struct job *job)
{
	if (job->n > 1 || job->staying)
		return run_together(job);
	if (!job->runs->diags.errors)
		run_all(job->runs);
	return true;
}
