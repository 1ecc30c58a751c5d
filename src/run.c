/* Functions that the steps of the pipeline share: options, costs and constants of a run, and how it ends, see pipeline.h and steps.h. */
#include "steps.h"

#include "lang/needs.h"

#include <limits.h>
#include <math.h>
#include <string.h>

/* Lowers a limit to the user's value if that was given and is lower: no budget exceeds the models' limits. */
static void set_budget(const struct run_options *o, enum run_given bit, unsigned given, unsigned *limit)
{
	if (o->given & (unsigned)bit && given < *limit)
		*limit = given;
}

static void set_range(struct range given, struct range *limit)
{
	limit->first = given.first > limit->first ? given.first : limit->first;
	limit->last = given.last < limit->last ? given.last : limit->last;
}

/* Returns the number of interpolators that a pair of model 3 can have, besides the registers of other inputs and outputs: the FP has ten
 * inputs, colours included, and the VP twelve outputs, of which the position and others take some. */
static unsigned linked_texcoords(const struct program *vs, const struct program *ps)
{
	unsigned colours = 0, others = 0;
	for (uint32_t k = 0; k < ps->decls.n; k++)
		colours += ps->decls.at[k].kind == DECL_PIXEL_INPUT && ps->decls.at[k].reg.file == REG_INPUT;
	for (uint32_t k = 0; k < vs->decls.n; k++)
		others += vs->decls.at[k].kind == DECL_OUTPUT && vs->decls.at[k].reg.file != REG_TEX_OUT;
	unsigned const inputs = MOST_TEXCOORDS - colours, outputs = MOST_TEX_OUTS - others;
	return inputs < outputs ? inputs : outputs;
}

static struct move_options run_pair_options(const struct run_options *o, const struct program *vs, const struct program *ps)
{
	struct move_options m = move_options_default(vs->model, ps->model);
	bool const links = model_links(ps->model);
	if (links)
		m.budget.texcoords = linked_texcoords(vs, ps);
	m.budget.vs_slots = device_slots(&o->device, vs->model);
	m.budget.vs_consts.last = (int)device_consts(&o->device, vs->model) - 1;
	if (ps->model == PS_3_0) {
		m.budget.ps_arith = m.budget.ps_tex = device_slots(&o->device, PS_3_0);
	} else if (program_flows(ps)) { /* an FP with flow control is not written as ps_2_0 */
		m.budget.ps_arith = models[ps->model].arith;
		m.budget.ps_tex = models[ps->model].tex ? models[ps->model].tex : m.budget.ps_arith;
	}
	m.level = o->move.level;
	m.planted = o->move.planted;
	m.vp_stays = o->move.vp_stays;
	m.drop_in = o->move.drop_in;
	m.colour_inputs = o->move.colour_inputs && !links; /* not in model 3, where the application may have colours shaded flat */
	m.free_position = o->move.free_position;
	m.plain_textures = o->move.plain_textures;
	m.finite_textures = o->move.finite_textures;
	m.free_ties = o->move.free_ties;
	m.as_published = o->move.as_published;
	set_budget(o, GIVEN_MAX_MOVES, o->move.max_moves, &m.max_moves);
	if (o->given & GIVEN_STOP_AT)
		m.ps_slots = o->move.ps_slots;
	set_budget(o, GIVEN_VS_SLOTS, o->move.budget.vs_slots, &m.budget.vs_slots);
	set_budget(o, GIVEN_VS_TEMPS, o->move.budget.vs_temps, &m.budget.vs_temps);
	m.budget.vs_consts_given = o->given & GIVEN_VS_CONSTS;
	if (m.budget.vs_consts_given)
		set_range(o->move.budget.vs_consts, &m.budget.vs_consts);
	m.preshader = o->move.preshader;
	if (o->given & GIVEN_PS_CONSTS)
		set_range(o->move.ps_consts, &m.ps_consts);
	if (o->given & GIVEN_PIXELS)
		m.pixels_per_vertex = o->move.pixels_per_vertex;
	if (o->given & GIVEN_TARGET)
		m.target = o->several ? aim_joint(o->several, (struct pair){vs, ps}, m.pixels_per_vertex) : o->move.target;
	if (o->given & GIVEN_PIXELS && target_is_slots(&m.target))
		m.target = aim_all_slots(m.pixels_per_vertex);
	m.several = o->given & GIVEN_TARGET ? o->several : 0;
	set_budget(o, GIVEN_TEXCOORDS, o->move.budget.texcoords, &m.budget.texcoords);
	if (o->given & GIVEN_EFFORT)
		m.effort = o->move.effort;
	set_budget(o, GIVEN_PS_ARITH, o->move.budget.ps_arith, &m.budget.ps_arith);
	set_budget(o, GIVEN_PS_TEX, o->move.budget.ps_tex, &m.budget.ps_tex);
	return m;
}

/* Returns the most slots that a program may have to be planned at this level; beyond them, time or memory grow faster than the program. */
static unsigned most_slots(int level, bool flows)
{
	static const unsigned most[2][4] = {{UINT_MAX, 8192, 4096, 1024}, {UINT_MAX, 8192, 1024, 1024}};
	return most[flows][level];
}

int run_levels_lower(const struct run *r)
{
	unsigned const slots = r->ps_before.slots > r->vs_before.slots ? r->ps_before.slots : r->vs_before.slots;
	bool const flows = program_flows(r->vs) || program_flows(r->ps);
	int level = r->options->move.level;
	while (slots > most_slots(level, flows))
		level--;
	return r->options->move.level - level;
}

static int level_of(const struct run *r)
{
	int const level = r->options->move.level - r->levels_lower;
	return r->doubts_3 && level > 2 ? 2 : level;
}

void run_tell_level(struct run *r)
{
	int const given = r->options->move.level, level = given - r->levels_lower;
	bool const flows = program_flows(r->vs) || program_flows(r->ps);
	const struct program *longer = r->ps_before.slots >= r->vs_before.slots ? r->ps : r->vs;
	if (r->told_level || level == given)
		return;
	r->told_level = true;
	if (level > 0)
		diag_add(&r->diags, DIAG_NOTE, NULL, longer->source, longer->at, "it is moved as at -O%d: -O%d is for programs of at most %u slots%s",
		         level, given, most_slots(given, flows), flows ? " where there is flow control" : "");
	else
		diag_add(&r->diags, DIAG_NOTE, NULL, longer->source, longer->at, "nothing of it is moved: it has more than %u slots", most_slots(1, flows));
}

struct move_options run_budgets(const struct run *r)
{
	struct program ps = *r->ps;
	ps.model = r->keeps_model ? model_kept(ps.model) : ps.model;
	struct move_options m = run_pair_options(r->options, r->vs, &ps);
	m.level = level_of(r);
	m.vp_stays |= r->stands_in || r->fp_only;
	return m;
}

const char *run_target_name(const struct run_options *o)
{
	return !(o->given & GIVEN_TARGET) ? targets[TARGET_SLOTS].name : o->several ? o->target_name : o->move.target.name;
}

void run_add_diags(struct run *r, const struct diags *d)
{
	for (uint32_t k = 0; k < d->n; k++)
		VEC_PUSH(r->diags.arena, &r->diags) = d->at[k];
	r->diags.errors += d->errors;
	r->diags.warnings += d->warnings;
	r->diags.notes += d->notes;
}

static bool dropped(const struct run_options *o, const char *rule)
{
	for (uint32_t i = 0; rule && i < o->nno_warn; i++)
		if (strcmp(o->no_warn[i], rule) == 0)
			return true;
	return false;
}

void run_filter_warnings(struct diags *d, const struct run_options *o)
{
	uint32_t kept = 0;
	for (uint32_t i = 0; i < d->n; i++) {
		struct diag *diag = &d->at[i];
		if (diag->severity == DIAG_WARNING) {
			if (dropped(o, diag->rule)) {
				d->warnings--;
				continue;
			}
			if (o->werror) {
				diag->severity = DIAG_ERROR;
				d->warnings--;
				d->errors++;
			}
		}
		d->at[kept++] = *diag;
	}
	d->n = kept;
}

static void count_once(bool *seen, unsigned *n)
{
	*n += !*seen;
	*seen = true;
}

struct measure run_measure(const struct program *p)
{
	struct slots slots = program_slots(p);
	struct measure m = {.slots = slots.arith + slots.tex, .arith = slots.arith, .tex = slots.tex};
	m.order = program_order(p);
	bool temps[256] = {false}, consts[256] = {false}, inputs[2][16] = {{false}};
	for (uint32_t k = 0; k < p->instrs.n; k++) {
		const struct instr *i = &p->instrs.at[k];
		if (instr_writes(i) && i->dst.file == REG_TEMP)
			count_once(&temps[i->dst.index & 255], &m.temps);
		for (unsigned s = 0; s < ops[i->op].sources; s++) {
			const struct src *src = &i->src[s];
			if (src->relative)
				continue;
			for (unsigned row = 0; row < instr_rows(i, s); row++) {
				int index = src->index + (int)row;
				if (src->file == REG_TEMP)
					count_once(&temps[index & 255], &m.temps);
				else if (src->file == REG_CONST)
					count_once(&consts[index & 255], &m.consts);
				else if (src->file == REG_INPUT || src->file == REG_TEXCOORD)
					count_once(&inputs[src->file == REG_TEXCOORD][index & 15], &m.inputs);
			}
		}
	}
	return m;
}

bool run_reject(struct run *r)
{
	r->status = RUN_REJECTED;
	return false;
}

bool run_fault(struct run *r, const char *why)
{
	r->status = RUN_FAILED;
	r->fault = why;
	return false;
}

bool run_keep_given(struct run *r)
{
	r->kept = true;
	r->vs_out = r->vs;
	r->ps_out = r->ps;
	r->needs = r->given;
	return true;
}

struct needs run_needs_and_alike(const struct run *r, const struct needs *n)
{
	struct needs both = {.own = n->own, .folds = n->folds};
	needs_add(r->arena, &both, n, STAGE_VERTEX);
	needs_add(r->arena, &both, &r->alike, STAGE_VERTEX);
	return both;
}

struct proof_context options_context(const struct run_options *o)
{
	struct proof_context context = {.free_position = o->move.free_position, .plain_textures = o->move.plain_textures,
	                                .free_ties = o->move.free_ties};
	if (o->given & GIVEN_VS_CONSTS) {
		context.unreached_from = o->move.budget.vs_consts.first;
		context.unreached_to = o->move.budget.vs_consts.last + 1;
	}
	return context;
}

struct proof_context run_context(const struct run *r)
{
	struct proof_context context = options_context(r->options);
	struct needs *given = arena_alloc(r->arena, sizeof *given), now = run_needs_and_alike(r, &r->needs);
	*given = run_needs_and_alike(r, &r->given);
	context.consts = now.consts.at;
	context.nconsts = now.consts.n;
	context.folds = r->needs.folds.at;
	context.nfolds = r->needs.folds.n;
	context.given = given;
	return context;
}

int run_plan_level(const struct run *r)
{
	const struct move_result *m = r->moved;
	bool const paper = m && (m->staged || (m->moved && !m->optimal && !m->gap && !m->nodes));
	return !m ? 0 : r->options->move.level >= 2 && !paper ? level_of(r) : 1;
}

struct costs run_costs(const struct run *r)
{
	struct move_options m = run_budgets(r);
	if (r->options->several)
		return aim_shares(r->options->several, (struct pair){r->vs, r->ps}, (struct pair){r->vs_new, r->ps_new}, m.pixels_per_vertex);
	double const unit = (double)target_unit(&m.target);
	return (struct costs){(double)target_written(&m.target, r->vs, r->ps, m.pixels_per_vertex) / unit,
	                      (double)target_written(&m.target, r->vs_new, r->ps_new, m.pixels_per_vertex) / unit};
}

static double in_units(const struct target *t, uint64_t time)
{
	return (double)time / (double)target_unit(t);
}

/* Returns the estimate for one target.  A pixel's costs include its share of the vertices, as in run_costs().  `pays_from` is the additional cost
 * of a vertex divided by the gain of a pixel. */
static struct estimate estimate(const struct target *t, struct pair before, struct pair after, unsigned pixels_per_vertex)
{
	struct costs const cost = {in_units(t, target_written(t, before.vs, before.ps, pixels_per_vertex)),
	                           in_units(t, target_written(t, after.vs, after.ps, pixels_per_vertex))};
	struct costs const pixel = {in_units(t, target_written_pixel(t, before.ps)), in_units(t, target_written_pixel(t, after.ps))};
	double const gain = pixel.before - pixel.after;
	double const pay = in_units(t, target_vertex(t, after.vs, after.ps)) - in_units(t, target_vertex(t, before.vs, before.ps));
	return (struct estimate){t, cost, pay <= 0 && gain >= 0 ? 0 : gain > 0 ? pay / gain : HUGE_VAL};
}

unsigned run_estimates(const struct run *r, uint32_t set, struct estimate to[TARGETS])
{
	unsigned const ratio = run_budgets(r).pixels_per_vertex;
	unsigned n = 0;
	for (unsigned k = 0; k < TARGETS; k++)
		if (set >> k & 1)
			to[n++] = estimate(&targets[k], (struct pair){r->vs, r->ps}, (struct pair){r->vs_new, r->ps_new}, ratio);
	return n;
}
