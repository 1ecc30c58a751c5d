/* Compares two results by their scores, see plan/score.h. */
#include "move/passes.h"
#include "move/plan/score.h"

/* Returns true if the model that the FP is written in has each r# that the FP writes: ps_2_b has more of them. */
static bool temps_fit(const struct program *ps)
{
	bool fit = true;
	for (uint32_t k = 0; k < ps->instrs.n; k++) {
		const struct dst *d = &ps->instrs.at[k].dst;
		fit &= !instr_writes(&ps->instrs.at[k]) || d->file != REG_TEMP || d->index < models[model_written(ps->model)].temps;
	}
	return fit;
}

static bool pair_fits(const struct program *vs, const struct program *ps, const struct move_options *o)
{
	struct slots const n = program_slots(ps);
	unsigned const order = model_order(ps->model);
	/* A chain of dependent reads has at most all n.tex reads, so program_order() is called only if these are more than `order`. */
	return n.arith <= o->budget.ps_arith && n.tex <= o->budget.ps_tex && program_total_slots(vs) <= o->budget.vs_slots &&
	       temps_fit(ps) && (n.tex <= order || program_order(ps) <= order);
}

static void add_score(struct score *sum, const struct move_result *r, const struct move_options *o)
{
	struct outputs_read const read = outputs_read_by(r->ps);
	for (unsigned t = 0; t < MOST_TEXCOORDS; t++)
		sum->interpolators += read.texcoord[t] != 0;
	sum->unfit += !pair_fits(r->vs, r->ps, o);
	sum->time += target_written(&o->target, r->vs, r->ps, o->pixels_per_vertex);
	sum->ps_slots += program_total_slots(r->ps);
	sum->order += program_order(r->ps);
	sum->asked += r->consts.n;
	sum->vs_slots += program_total_slots(r->vs);
}

/* Returns the time of all pairs of the results by the target, or of the pairs as given if `all` is NULL. */
static uint64_t time_by(const struct group *g, const struct target *t, struct move_result *const *all)
{
	uint64_t sum = 0;
	for (unsigned i = 0; i < group_pairs(g); i++)
		sum += target_written(t, all ? all[i]->vs : group_vs(g, i), all ? all[i]->ps : group_ps(g, i), g->options->pixels_per_vertex);
	return sum;
}

/* Returns a number that is compared instead of time if several targets count: the number of targets that get slower is in the upper bits, the
 * sum of their shares of time in the lower ones. */
static uint64_t time_of_several(const struct group *g, struct move_result *const *all)
{
	enum { SHARE_BITS = 40 };
	uint64_t lose = 0;
	double shares = 0;
	for (unsigned k = 0; k < TARGETS; k++) {
		if (!(g->options->several >> k & 1))
			continue;
		uint64_t const before = time_by(g, &targets[k], NULL), after = time_by(g, &targets[k], all);
		lose += after > before;
		shares += target_share(before, after);
	}
	return (lose << (SHARE_BITS + 16)) + (uint64_t)(shares * (double)(UINT64_C(1) << SHARE_BITS));
}

bool move_not_worse(const struct group *g, struct move_result *const *a, struct move_result *const *b)
{
	struct score sum[2] = {{0}, {0}};
	for (unsigned i = 0; i < group_pairs(g); i++) {
		add_score(&sum[0], a[i], group_options(g, i));
		add_score(&sum[1], b[i], group_options(g, i));
	}
	if (g->options->several) {
		sum[0].time = time_of_several(g, a);
		sum[1].time = time_of_several(g, b);
	}
	return score_compare(&sum[0], &sum[1]) <= 0;
}

uint64_t move_time(const struct group *g, struct move_result *const *all)
{
	return time_by(g, &g->options->target, all);
}

bool move_fits(const struct group *g, struct move_result *const *all)
{
	bool fit = true;
	for (unsigned i = 0; i < group_pairs(g); i++)
		fit &= pair_fits(all[i]->vs, all[i]->ps, group_options(g, i));
	return fit;
}
