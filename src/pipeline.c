/* The way of a pair from text to text, see pipeline.h. */
#include "steps.h"

#include "around.h"
#include "repeat.h"
#include "stand_in.h"

#include "base/profile.h"
#include "lang/bytecode.h"
#include "lang/check.h"
#include "lang/history.h"
#include "lang/link.h"
#include "lang/listing.h"
#include "lang/modifier.h"
#include "lang/needs.h"
#include "lang/parse.h"
#include "move/emit/emit.h"
#include "move/graph/free_constants.h"

#include <limits.h>
#include <string.h>

/* A ps_2_0 program of more slots than this cannot come to fit: a vertex program has no room for the rest.  It is
 * rejected by its length before the mover, whose work grows faster than the program, sees it; and so are
 * programs of the longer models beyond those models' own limits, as nobody could have used them as they are. */
enum { HOPELESS_SLOTS = 1024 };

/* Positions are 32 bits; no program comes near. */
enum { LONGEST_TEXT = 64 << 20 };

/* No budget goes beyond the models', however much is given. */
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

/* Interpolators that a pair of model 3 can have: the pixel program's inputs are ten with the colours, the vertex program's
 * outputs twelve with all others. */
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

/* The options of a pair, its models' limits filled in. */
struct move_options run_pair_options(const struct run_options *o, const struct program *vs, const struct program *ps)
{
	struct move_options m = move_options_default(vs->model, ps->model);
	bool const links = model_links(ps->model);
	if (links)
		m.budget.texcoords = linked_texcoords(vs, ps);
	m.budget.vs_slots = device_slots(&o->device, vs->model);
	m.budget.vs_consts.last = (int)device_consts(&o->device, vs->model) - 1;
	if (ps->model == PS_3_0) {
		m.budget.ps_arith = m.budget.ps_tex = device_slots(&o->device, PS_3_0);
	} else if (program_flows(ps)) { /* it is not written as ps_2_0 */
		m.budget.ps_arith = models[ps->model].arith;
		m.budget.ps_tex = models[ps->model].tex ? models[ps->model].tex : m.budget.ps_arith;
	}
	m.level = o->move.level;
	m.planted = o->move.planted;
	m.vp_stays = o->move.vp_stays;
	m.drop_in = o->move.drop_in;
	m.colour_inputs = o->move.colour_inputs && !links; /* there colours are not clamped, but shaded flat if the application says so */
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

/* Slots of either program up to which a level plans: beyond, its time or memory grows faster than the program. */
static unsigned most_slots(int level, bool flows)
{
	static const unsigned most[2][4] = {{UINT_MAX, 8192, 4096, 1024}, {UINT_MAX, 8192, 1024, 1024}};
	return most[flows][level];
}

/* Returns how many levels below that of the options the checked pair is moved by, since it is long. */
static int levels_lower(const struct run *r)
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

/* Promises what the VP writes to the interpolators that are to be kept. */
static void promise_inputs(struct program *vs, unsigned kept)
{
	bool const links = model_links(vs->model);
	unsigned numbers = links ? 0 : kept;
	for (uint32_t k = 0; k < vs->decls.n && links; k++) {
		const struct decl *d = &vs->decls.at[k];
		if (d->kind == DECL_OUTPUT && d->usage == USAGE_TEXCOORD && d->reg.file == REG_TEX_OUT && kept >> d->usage_index & 1)
			numbers |= 1u << d->reg.index;
	}
	for (uint32_t k = 0; k < vs->instrs.n; k++) {
		const struct instr *i = &vs->instrs.at[k];
		if (instr_writes(i) && i->dst.file == REG_TEX_OUT && numbers >> i->dst.index & 1)
			vs->promised.texcoord[i->dst.index] |= instr_writes(i);
	}
}

/* Leaves the constants to the effect that its states set: nothing is put into them, and no VP constant can be what states set
 * for the FP, since nothing else sets that. */
static void leave_states(struct run *r, struct program *const found[2])
{
	for (unsigned stage = 0; stage < 2; stage++)
		found[stage]->reserved = constants_of_both(found[stage]->reserved, r->options->set_by_states[stage]);
	for (int c = 0; c < models[r->ps->model].consts; c++)
		if (register_is_in(&r->options->set_by_states[STAGE_PIXEL], c) && !program_decl(r->ps, REG_CONST, c))
			register_put_in(&r->withheld, c);
}

/* Tells of names in a program's table that are no parameters of the effect.  Returns true if there are any. */
static bool tell_unknown_names(struct run *r, const struct program *p)
{
	const char *last = "";
	for (int c = 0; c < models[p->model].consts; c++) {
		const char *name = program_reads_from_outside(p, c) ? by_name_unknown(r->arena, p, c, r->options->by_name) : NULL;
		if (name && strcmp(name, last) != 0)
			diag_add(&r->diags, DIAG_NOTE, "effect", p->source, p->at,
			         "what reads %s stays in the pixel program: the table of constants calls c%d \"%s\", which is no parameter of the effect",
			         p == r->ps ? "that" : "constants", c, name);
		last = name ? name : last;
	}
	return *last != '\0';
}

/* sources -> vs, ps.  Syntax errors reject; so does what is no pair. */
static bool step_parse(struct run *r)
{
	struct program *found[2] = {NULL, NULL}; /* by stage */
	for (uint32_t i = 0; i < r->nsources; i++) {
		const struct source *source = &r->sources[i];
		if (source->size > LONGEST_TEXT) {
			diag_add(&r->diags, DIAG_ERROR, NULL, source, SRCPOS_NONE, "longer than 64 MiB, the most that fpmove reads");
			continue;
		}
		uint32_t errors = r->diags.errors;
		struct program_list list = parse_programs(r->arena, source, &r->diags);
		for (uint32_t k = 0; k < list.n; k++) {
			struct program *p = list.at[k];
			bool vertex = program_stage(p) == STAGE_VERTEX;
			if (found[program_stage(p)]) {
				diag_add(&r->diags, DIAG_ERROR, NULL, p->source, p->at,
				         "a second %s program: a pair is one vertex and one pixel program",
				         vertex ? "vertex" : "pixel");
				break;
			}
			found[program_stage(p)] = p;
			r->ps_first |= r->nsources == 2 && i == 0 && !vertex;
		}
		if (!list.n && r->diags.errors == errors)
			diag_add(&r->diags, DIAG_ERROR, NULL, source, SRCPOS_NONE,
			         "no program here: the first statement must be a version token, such as vs_1_1 or ps_2_0");
	}
	for (unsigned stage = 0; r->options->history && stage < 2; stage++)
		if (found[stage])
			history_begin(r->arena, found[stage], "given");
	if (!r->diags.errors && found[STAGE_PIXEL] && !found[STAGE_VERTEX]) {
		found[STAGE_VERTEX] = stand_in_make(r->arena, found[STAGE_PIXEL]);
		r->stands_in = found[STAGE_VERTEX];
	}
	for (unsigned stage = 0; stage < 2; stage++)
		if (found[stage])
			found[stage]->named = r->options->names;
	r->vs = found[STAGE_VERTEX];
	r->ps = found[STAGE_PIXEL];
	r->keeps_model = r->ps && (r->keeps_model || r->options->keep_model) && model_kept(r->ps->model) != r->ps->model;
	if (!r->diags.errors && !(r->vs && r->ps)) {
		const struct program *p = r->vs ? r->vs : r->ps;
		diag_add(&r->diags, DIAG_ERROR, NULL, p ? p->source : NULL, p ? p->at : SRCPOS_NONE,
		         p ? "no %s program to go with it" : "no %s program", r->vs ? "pixel" : "vertex");
	}
	if (!r->diags.errors) {
		r->linked.taken = link_usages(found[STAGE_VERTEX]) | link_usages(found[STAGE_PIXEL]);
		r->ps_alone = program_copy(r->arena, found[STAGE_PIXEL]);
		link_pair(found[STAGE_VERTEX], found[STAGE_PIXEL], &r->diags);
	}
	if (!r->diags.errors) {
		needs_read(r->arena, found[STAGE_VERTEX], &r->diags);
		needs_read(r->arena, found[STAGE_PIXEL], &r->diags);
		needs_of_pair(r->arena, found[STAGE_VERTEX], found[STAGE_PIXEL], &r->diags, &r->given);
	}
	if (!r->diags.errors && r->options->keep_inputs)
		promise_inputs(found[STAGE_VERTEX], r->options->keep_inputs);
	if (!r->diags.errors && r->options->set_by_states)
		leave_states(r, found);
	if (!r->diags.errors && r->options->by_name) {
		r->alike = by_name_alike(r->arena, r->vs, r->ps, r->options->by_name);
		struct register_set const unnamed = by_name_withheld(r->vs, r->ps, r->options->by_name);
		r->withheld = constants_of_both(r->withheld, unnamed);
		tell_unknown_names(r, r->ps);
		/* A VP whose table is damaged gets no more names. */
		if (tell_unknown_names(r, r->vs))
			memset(&r->withheld, 0xff, sizeof r->withheld);
	}
	return r->diags.errors ? run_reject(r) : true;
}

/* Returns true if a program that is too long may be checked all the same, since it may come to fit.  One of model 3 may be as long as
 * any device allows. */
static bool may_fit(const struct program *p)
{
	enum device_limit const device = device_slots_limit(p->model);
	const struct model_info *m = &models[p->model];
	if (device != DEVICE_LIMITS)
		return program_total_slots(p) <= device_limits[device].most;
	return m->stage == STAGE_PIXEL && !program_flows(p) && program_total_slots(p) <= (m->tex ? HOPELESS_SLOTS : m->arith);
}

/* Both programs keep their models' rules, but for lengths that may come to fit. */
static bool step_check(struct run *r)
{
	const struct device *device = &r->options->device;
	struct check_options vs = {.unwritten_warns = true, .any_length = may_fit(r->vs), .device = device};
	struct check_options ps = {.unwritten_warns = true, .any_length = may_fit(r->ps), .device = device, .vs = r->vs, .linked = r->ps};
	check_program(r->vs, &vs, &r->diags);
	check_program(r->ps_alone, &ps, &r->diags);
	if (!r->diags.errors)
		link_warn_unwritten(r->vs, r->ps_alone, &r->diags);
	run_filter_warnings(&r->diags, r->options);
	r->vs_before = r->stands_in ? (struct measure){0} : run_measure(modifier_contracted(r->arena, r->vs));
	r->ps_before = run_measure(modifier_contracted(r->arena, r->ps));
	r->levels_lower = levels_lower(r);
	return r->diags.errors ? run_reject(r) : true;
}

/* Sets the needs that a new program's comments state. */
void run_note_needs(struct arena *a, struct program *p, const struct needs *all)
{
	struct needs shown = {.consts = all->consts};
	for (uint32_t k = 0; k < all->folds.n; k++)
		if (all->folds.at[k].preset)
			VEC_PUSH(a, &shown.folds) = all->folds.at[k];
	needs_add(a, &p->needs, &shown, program_stage(p));
}

/* The run's FP for the mover, beside `nvs` VPs. */
const struct program *run_marked(struct run *r, const struct program *const *vs, unsigned nvs, unsigned plain)
{
	struct program *own = program_copy(r->arena, r->ps);
	own->withheld = r->withheld;
	own->model = r->keeps_model ? model_kept(own->model) : own->model;
	const struct program *ps = mark_depth_reads(r->arena, own, vs, nvs, plain);
	bool const hlsl = listing_is_hlsl(ps);
	unsigned not_compared = 0;
	r->depths = 0;
	for (uint32_t k = 0; k < ps->instrs.n; k++) {
		const struct instr *i = &ps->instrs.at[k];
		if (i->flags & INSTR_DEPTH)
			r->depths |= 1u << i->src[1].index;
		else if (hlsl && i->op == OP_TEXLD)
			not_compared |= 1u << i->src[1].index;
	}
	r->drawn_depths = r->depths & ~not_compared;
	return ps;
}

/* With the constants that are alike before and after. */
struct needs run_needs_and_alike(const struct run *r, const struct needs *n)
{
	struct needs both = {.own = n->own, .folds = n->folds};
	needs_add(r->arena, &both, n, STAGE_VERTEX);
	needs_add(r->arena, &both, &r->alike, STAGE_VERTEX);
	return both;
}

/* The run's VP for the mover, with the constants that it has in common with the FP. */
const struct program *run_with_alike(struct run *r)
{
	struct program *vs = program_copy(r->arena, r->vs);
	vs->needs = run_needs_and_alike(r, &r->vs->needs);
	return vs;
}

bool run_keep_given(struct run *r)
{
	r->kept = true;
	r->vs_out = r->vs;
	r->ps_out = r->ps;
	r->needs = r->given;
	return true;
}

/* Gives the new programs the looks of the old ones. */
void run_finish_programs(struct run *r, struct move_result *moved)
{
	if (r->options->move.level < 2)
		return;
	struct move_options const m = run_budgets(r);
	tidy_outputs(r->arena, moved->ps, &m.target);
	make_alike(r->arena, moved->vs, r->vs, &m.target, m.budget.vs_temps);
	make_alike(r->arena, moved->ps, r->ps, &m.target, models[model_written(moved->ps->model)].temps);
}

bool run_declare(struct run *r, struct move_result *moved)
{
	if (r->options->move.level >= 2)
		program_drop_unread_inputs(r->arena, moved->ps); /* the VP keeps no output for them */
	return link_declare(r->arena, moved->vs, moved->ps, &r->linked);
}

/* Notes in the new VP what the application goes on to set for it where it is drawn with other FPs. */
static void note_beside(struct run *r, struct program *vs)
{
	struct needs read = {0};
	for (uint32_t k = 0; k < r->beside.consts.n; k++)
		if (program_reads(vs, REG_CONST, r->beside.consts.at[k].vs))
			VEC_PUSH(r->arena, &read.consts) = r->beside.consts.at[k];
	for (uint32_t k = 0; k < r->beside.folds.n; k++)
		if (program_reads(vs, REG_CONST, r->beside.folds.at[k].index))
			VEC_PUSH(r->arena, &read.folds) = r->beside.folds.at[k];
	run_note_needs(r->arena, vs, &read);
}

/* False: what the application would have to compute takes more registers than expressions have. */
bool run_take_moved(struct run *r, struct move_result *moved)
{
	struct needs const added = {.consts = {moved->consts.at, moved->consts.n, moved->consts.cap}, .folds = moved->folds};
	if (!needs_join(r->arena, &r->given, &added, moved->vs, moved->ps, &r->needs))
		return false;
	for (uint32_t k = 0; k < r->needs.consts.n; k++) {
		struct const_map *map = &r->needs.consts.at[k];
		map->name = map->name ? map->name : listing_name(r->arena, r->ps, map->ps);
	}
	r->moved = moved;
	r->kept = false;
	moved->vs->needs = moved->ps->needs = (struct needs){0};
	run_note_needs(r->arena, moved->vs, &r->needs);
	run_note_needs(r->arena, moved->ps, &r->needs);
	note_beside(r, moved->vs);
	needs_keep_own(moved->vs, r->vs, &r->needs);
	needs_keep_own(moved->ps, r->ps, &r->needs);
	if (!run_declare(r, moved)) {
		r->moved = NULL;
		r->stays = "no usage, or no register, is left for what would be new";
		return run_keep_given(r);
	}
	r->vs_out = run_writes_vs(r) ? moved->vs : r->vs;
	r->ps_out = moved->ps;
	moved->ps->model = r->keeps_model ? r->ps->model : moved->ps->model;
	return true;
}

/* Moves the pair by the target of the options, and for fewest slots, which may take less time by that target.  Both results are moved
 * again.  Of model 3 instructions write outputs themselves in the end, which no plan counts. */
static struct move_result *move_pair(struct run *r, const struct move_options *m)
{
	const struct program *ps = run_marked(r, &r->vs, 1, m->plain_textures), *vs = r->alike.consts.n ? run_with_alike(r) : r->vs;
	struct pair const old = {vs, r->ps};
	struct proof_context const context = run_context(r);
	struct moving *moving = moving_begin(r->arena, &(struct group){.vs = &vs, .ps = &ps, .nvs = 1, .nps = 1, .options = m});
	struct move_result *known = NULL;
	if (m->level >= 2 && !target_is_slots(&m->target)) {
		struct move_options slots = *m;
		slots.target = targets[TARGET_SLOTS];
		slots.several = 0;
		known = repeat_move(r->arena, old, moving_for_slots(moving), &slots, &context);
		tidy_outputs(r->arena, known->ps, &slots.target);
	}
	struct move_result *own = repeat_move(r->arena, old, moving_for_target(moving, known), m, &context);
	if (m->level >= 2)
		tidy_outputs(r->arena, own->ps, &m->target);
	return moving_better(moving, own, known);
}

/* Moves the pair in both ways with --preshader: the constants that an application computes take registers, and stand apart from
 * literals.  Where both ways take the same, the application computes, though that asks for more constants. */
static struct move_result *move_with_presets(struct run *r, const struct move_options *m)
{
	struct group const g = {.vs = &r->vs, .ps = &r->ps, .nvs = 1, .nps = 1, .options = m};
	struct move_options without = *m;
	without.preshader = false;
	struct move_result *plain = move_pair(r, &without), *preset = move_pair(r, m);
	uint64_t const time[2] = {move_time(&g, &plain), move_time(&g, &preset)};
	if (m->several)
		return move_not_worse(&g, &preset, &plain) ? preset : plain;
	bool const saves_slots = program_total_slots(plain->ps) < program_total_slots(preset->ps);
	return time[0] < time[1] || (time[0] == time[1] && saves_slots) ? plain : preset;
}

/* Planning takes a hundred times the memory of its result, and effects have thousands of pairs; --dump reads all of it. */
struct move_result *run_plan(struct run *r, const struct move_options *m)
{
	bool const dumped = r->options->history;
	if (!dumped)
		arena_begin_scratch(r->arena);
	struct move_result *result = m->preshader && m->level >= 2 ? move_with_presets(r, m) : move_pair(r, m);
	run_finish_programs(r, result);
	if (dumped)
		return result;
	arena_end_scratch(r->arena);
	result = move_keep(r->arena, result, r->ps->instrs.n);
	arena_drop_scratch(r->arena);
	return result;
}

/* Returns why nothing of the pair may move, whatever it would gain, or NULL if something may. */
const char *run_why_it_stays(const struct run *r)
{
	struct move_options const m = run_budgets(r);
	if (m.level == 0 && r->options->move.level > 0)
		return "it is too long";
	if (m.vp_stays && (m.level < 2 || m.ps_slots || m.max_moves < r->ps->instrs.n))
		return "the method of -O1 does nothing without a vertex program that may change";
	bool const unnamed = program_names_no_lane(r->vs) || program_names_no_lane(r->ps);
	return unnamed ? "an instruction of bytecode, in it or what is drawn with it, reads one lane and does not name it" : NULL;
}

/* Takes what planning gave; a second time without --preshader, if the application would have to compute too much. */
static bool take_planned(struct run *r, struct move_options *m, struct move_result *moved)
{
	if (m->level < 2 && !moved->moved && (r->keeps_model || r->ps->model == model_written(r->ps->model))) {
		r->moved = moved;
		return run_keep_given(r);
	}
	if (run_take_moved(r, moved))
		return true;
	if (program_flows(r->vs) || program_flows(r->ps)) /* which is moved without --preshader */
		return run_keep_given(r);
	m->preshader = false;
	run_take_moved(r, run_plan(r, m));
	return true;
}

/* vs, ps -> vs_out, ps_out */
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

const struct step pipeline[STEPS] = {
	{"parse", step_parse}, {"check", step_check}, {"move", step_move},     {"fit", step_fit},
	{"print", step_print}, {"reread", step_reread}, {"prove", step_prove}, {"finish", step_finish},
};

void run_init(struct run *r, struct arena *arena, const struct source *sources, uint32_t nsources,
              const struct run_options *options)
{
	*r = (struct run){.arena = arena, .options = options, .sources = sources, .nsources = nsources};
	r->status = RUN_REJECTED;
	diag_init(&r->diags, arena);
	r->vs_text.arena = r->ps_text.arena = arena;
}

bool run_step(struct run *r, unsigned step)
{
	profile_begin(r->profile, pipeline[step].name);
	bool const goes_on = pipeline[step].run(r);
	if (step == STEP_MOVE && r->moved)
		profile_change(r->profile, r->ps_before.slots, program_total_slots(r->ps_out));
	profile_end(r->profile);
	return goes_on;
}

void run_all(struct run *r)
{
	jmp_buf here, *before = r->arena->on_failure;
	r->arena->on_failure = &here;
	if (setjmp(here)) {
		r->status = RUN_NO_MEMORY;
	} else {
		for (unsigned i = 0; i < STEPS && run_step(r, i); i++)
			;
	}
	r->arena->on_failure = before;
}
