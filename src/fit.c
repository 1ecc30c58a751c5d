/* Plans a pair, and makes its new programs fit the models in which they are written, see steps.h. */
#include "steps.h"

#include "around.h"

#include "lang/check.h"
#include "lang/modifier.h"

#include <string.h>

/* Takes the planner's result for the run, or keeps the given programs if at -O1 nothing moved and the model stays.  If the application would have
 * to compute expressions that take too many registers, plans again without --preshader, or with flow control keeps the given programs.  Returns
 * true. */
static bool take_planned(struct run *r, struct move_options *m, struct move_result *moved)
{
	if (m->level < 2 && !moved->moved && (r->keeps_model || r->ps->model == model_written(r->ps->model))) {
		r->moved = moved;
		return run_keep_given(r);
	}
	if (run_take_moved(r, moved))
		return true;
	if (program_flows(r->vs) || program_flows(r->ps)) /* planned without --preshader anyway */
		return run_keep_given(r);
	m->preshader = false;
	run_take_moved(r, run_plan(r, m));
	return true;
}

/* Plans the run: makes its vs_out and ps_out from vs and ps.  Keeps the given programs at -O0, or if nothing may move. */
bool step_move(struct run *r)
{
	const char *stays = r->options->move.level ? run_why_it_stays(r) : NULL;
	run_tell_level(r);
	r->moved = NULL;
	r->stays = stays ? stays : r->stays;
	if (stays || r->options->move.level == 0)
		return run_keep_given(r);
	struct move_options m = run_budgets(r);
	m.profile = r->profile;
	bool const flows = program_flows(r->vs) || program_flows(r->ps);
	struct move_result *moved = flows ? around_move(r, &m) : run_plan(r, &m);
	return moved ? take_planned(r, &m, moved) : run_keep_given(r);
}

static void too_many(struct run *r, enum rule rule, const char *kind, unsigned before, unsigned after, unsigned allowed)
{
	diag_add(&r->diags, DIAG_ERROR, rules[rule].id, r->ps->source, r->ps->at,
	         "%u %s slots, and there are %u: at -O%d it takes %u, %u too many",
	         before, kind, allowed, r->options->move.level, after, after - allowed);
}

static bool is_within(struct slots n, const struct move_options *m)
{
	return n.arith <= m->budget.ps_arith && n.tex <= m->budget.ps_tex;
}

static unsigned total(struct slots n)
{
	return n.arith + n.tex;
}

/* Returns true if the new FP, written in its own model (such as ps_2_x), needs no more temporaries and no longer chain of dependent reads than
 * the given FP, or than ps_2_0 allows.  Chips of these models differ: the model's limits are those of the best chip. */
static bool asks_no_more(struct run *r)
{
	struct measure const before = run_measure(r->ps), after = run_measure(r->ps_out);
	const struct model_info *ps_2_0 = &models[PS_2_0];
	return (after.temps <= before.temps || after.temps <= ps_2_0->temps) && (after.order <= before.order || after.order <= ps_2_0->order);
}

/* Prepares the run to be planned again for the FP's own model, since the FP does not fit ps_2_0.  Returns false if its own model allows no
 * more, or if the run cannot be planned again. */
static bool fall_to_own_model(struct run *r)
{
	if (r->keeps_model || r->together || program_flows(r->ps) || model_kept(r->ps->model) == r->ps->model)
		return false;
	r->keeps_model = true;
	r->moved = NULL;
	r->kept = false;
	diag_add(&r->diags, DIAG_NOTE, NULL, r->ps->source, r->ps->at, "it is written as %s, since it does not come to fit ps_2_0",
	         models[r->ps->model].name);
	return true;
}

/* Returns true if ps_out, written as ps_2_0, would break a rule of that model or exceed the budgets. */
static bool breaks_ps_2_0(struct run *r, const struct move_options *m)
{
	struct slots const n = program_slots(modifier_contracted(r->arena, r->ps_out));
	struct diags said;
	diag_init(&said, r->arena);
	if (!is_within(n, m))
		return true;
	check_program(program_as_written(r->arena, r->ps_out), &(struct check_options){.unwritten_warns = true, .errors_only = true, .device = &r->options->device}, &said);
	return said.errors;
}

bool run_breaks_ps_2_0(struct run *r)
{
	struct move_options const m = run_budgets(r);
	run_keep_given(r);
	return r->ps->model != model_written(r->ps->model) && !program_flows(r->ps) && breaks_ps_2_0(r, &m);
}

const struct program *run_as_written(struct arena *arena, const struct program *p)
{
	const struct program *written = program_as_written(arena, p);
	bool const same = written->model == p->model &&
	                  (!p->instrs.n || memcmp(written->instrs.at, p->instrs.at, p->instrs.n * sizeof *p->instrs.at) == 0);
	return same ? p : written;
}

/* Returns true, and reports an error, if the program is longer than the device allows.  Returns false for models whose length does not depend on
 * the device. */
static bool is_too_long(struct run *r, const struct program *p)
{
	enum device_limit const limit = device_slots_limit(p->model);
	if (limit == DEVICE_LIMITS)
		return false;
	unsigned const slots = program_total_slots(p), most = device_slots(&r->options->device, p->model);
	const char *rule = rules[program_stage(p) == STAGE_VERTEX ? RULE_VS_SLOTS : RULE_PS_SLOTS].id;
	if (slots > most && r->options->device.has[limit])
		diag_add(&r->diags, DIAG_ERROR, rule, p->source, p->at, "it takes %u slots, and the device has %u for %s", slots, most,
		         models[p->model].name);
	else if (slots > most)
		diag_add(&r->diags, DIAG_ERROR, rule, p->source, p->at,
		         "it takes %u slots, and all devices have %u for %s; say what yours has, as in --device=%s:%u", slots, most,
		         models[p->model].name, device_limits[limit].name, slots <= 4096 ? 4096 : device_limits[limit].most);
	return slots > most;
}

void run_check_device(struct run *r)
{
	for (unsigned stage = 0; stage < 2; stage++) {
		const struct program *p = stage == STAGE_VERTEX ? r->vs : r->ps;
		enum device_limit const limit = device_slots_limit(p->model);
		if (limit != DEVICE_LIMITS && r->options->device.has[limit])
			is_too_long(r, p);
	}
}

/* Rejects the run if a program is longer than the device allows, or if it was found not to fit before.  Returns false then. */
static bool fits_device(struct run *r)
{
	bool const vs = run_writes_vs(r) && is_too_long(r, r->vs_out), ps = is_too_long(r, r->ps_out);
	r->unfit |= vs || ps;
	return r->unfit ? run_reject(r) : true;
}

/* Makes ps_out fit: as a ps_2_0 program, or in the given FP's own model if that is kept or ps_2_0 is too small.  Keeps the given programs if the
 * new FP is longer, or exceeds a budget that the given one kept, or needs more than it in its own model.  Rejects the run, and returns false, if
 * nothing fits. */
bool step_fit(struct run *r)
{
	if (r->kept && (program_flows(r->vs) || program_flows(r->ps)))
		return fits_device(r);
	struct move_options m = run_budgets(r);
	if (r->ps->model != model_written(r->ps->model) && !r->keeps_model && breaks_ps_2_0(r, &m) && fall_to_own_model(r))
		return step_move(r) && step_fit(r);
	if (r->keeps_model && !r->kept && !asks_no_more(r)) {
		r->moved = NULL;
		run_keep_given(r);
	}
	struct slots before = program_slots(r->ps), after = program_slots(modifier_contracted(r->arena, r->ps_out));
	/* A plan may count too few slots for an _abs: it takes an instruction of its own where it cannot be a modifier. */
	bool const longer = !r->together && total(after) > total(before) && total(after) > total(program_slots(r->ps_out));
	if (!r->kept && (longer || (is_within(before, &m) && !is_within(after, &m)))) {
		r->moved = NULL;
		run_keep_given(r);
		after = before;
	}
	bool const told = device_slots_limit(r->ps->model) != DEVICE_LIMITS && after.arith + after.tex > device_slots(&r->options->device, r->ps->model);
	if (!told && after.arith > m.budget.ps_arith)
		too_many(r, RULE_PS_ARITH_SLOTS, "arithmetic", before.arith, after.arith, m.budget.ps_arith);
	if (!told && after.tex > m.budget.ps_tex)
		too_many(r, RULE_PS_TEX_SLOTS, "texture", before.tex, after.tex, m.budget.ps_tex);
	r->ps_out = r->keeps_model ? r->ps_out : run_as_written(r->arena, r->ps_out);
	r->vs_out = run_as_written(r->arena, r->vs_out);
	r->unfit = r->diags.errors > 0;
	return fits_device(r);
}
