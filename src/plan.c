/* Plans a pair without flow control, and stores the planner's result in its run, see steps.h. */
#include "steps.h"

#include "lang/link.h"
#include "lang/listing.h"
#include "lang/needs.h"
#include "move/emit/emit.h"

/* Leaves out folded literals, which the application does not set. */
void run_note_needs(struct arena *a, struct program *p, const struct needs *all)
{
	struct needs shown = {.consts = all->consts};
	for (uint32_t k = 0; k < all->folds.n; k++)
		if (all->folds.at[k].preset)
			VEC_PUSH(a, &shown.folds) = all->folds.at[k];
	needs_add(a, &p->needs, &shown, program_stage(p));
}

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

const struct program *run_with_alike(struct run *r)
{
	struct program *vs = program_copy(r->arena, r->vs);
	vs->needs = run_needs_and_alike(r, &r->vs->needs);
	return vs;
}

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
		program_drop_unread_inputs(r->arena, moved->ps); /* the VP need not write outputs for inputs that are not read */
	return link_declare(r->arena, moved->vs, moved->ps, &r->linked);
}

/* Adds the constants that the application sets for the new VP when it is drawn with other FPs to what the VP's comments tell. */
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

/* Plans the pair for the target of the options; at -O2 and above also for fewest slots, since that result may take less time under that target,
 * too.  Moves each result again (repeat_move), then drops movs to outputs in model 3, which no plan counts.  Returns the better result. */
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

/* Plans the pair with and without --preshader, since constants that the application computes take registers and may cost more than they save.
 * Returns the better result, or the one with --preshader if both are equally good. */
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

/* Frees the memory of planning, a hundred times that of the result, since effects have thousands of pairs.  With --dump, does not free it. */
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
