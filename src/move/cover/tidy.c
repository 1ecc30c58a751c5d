/* Shortens a program of either stage by passes that run until none changes it any more.  Values do not change, except by the roundings that
 * a mad saves and, at -O3, by regrouped sums.
 *
 * requires: a checked program; keeps: every rule of its model that held. */
#include "move/cover/tidy.h"

#include "base/profile.h"
#include "lang/history.h"
#include "lang/modifier.h"
#include "move/rules/decide.h"

enum { ROUNDS = 32 }; /* limit of the rounds of passes; each round shortens the program or simplifies an operand, so that few are needed */

struct tidy_limits tidy_limits_of(const struct program *old, bool rounds, const struct move_options *o, const struct folds *folds)
{
	struct tidy_limits limits = {.old = old, .consts = {0, -1}, .folds = folds, .temps = models[model_written(old->model)].temps,
	                             .choices = o->target.lane == 0, .regroup = o->level >= 3 && !rounds,
	                             .finite_textures = o->finite_textures,
	                             .free_position = o->free_position || is_planted(o, PLANT_POSITION), .profile = o->profile};
	if (program_stage(old) == STAGE_VERTEX) {
		limits.temps = o->budget.vs_temps;
		limits.consts = o->budget.vs_consts;
		limits.consts_named = o->budget.vs_consts_given;
	}
	if (program_stage(old) == STAGE_PIXEL && !o->preshader)
		limits.consts.last = (int)models[model_written(old->model)].consts - 1;
	return limits;
}

bool tidy_decisions(struct tidy *t)
{
	bool const changed = program_stage(t->p) == STAGE_PIXEL && t->limits && decide_directly(t->arena, t->p, t->limits->folds, t->limits->temps);
	t->stale |= changed;
	return changed;
}

/* --- entry ------------------------------------------------------------------------ */

struct tidy_pass {
	const char *name;
	bool (*run)(struct tidy *);
};
static const struct tidy_pass passes[] = {
	{"dead code", tidy_dead}, {"aliases", tidy_aliases}, {"destinations", tidy_targets}, {"mads", tidy_mads}, {"units", tidy_units},
};
/* Lists the passes that run when those in `passes` change nothing more. */
static const struct tidy_pass last_passes[] = {
	{"ports", tidy_ports}, {"turned lanes", tidy_turned}, {"choices", tidy_choices}, {"dot products", tidy_sums}, {"joined", tidy_join},
};
/* Lists the passes that run on a pixel program before it is planned. */
static const struct tidy_pass settling[] = {
	{"dead code", tidy_dead}, {"aliases", tidy_aliases}, {"mads", tidy_mads}, {"units", tidy_units}, {"decisions", tidy_decisions},
};
enum {
	PASSES = sizeof passes / sizeof *passes, LAST_PASSES = sizeof last_passes / sizeof *last_passes,
	SETTLING = sizeof settling / sizeof *settling
};

/* Gives each web (definitions that have to share a register) a register of its own, and records in t->home which register it had.  If there are
 * too few numbers, changes nothing, and t->home remains NULL. */
static void separate(struct tidy *t, const struct program *old)
{
	int16_t *home = arena_alloc(t->arena, MOST_REGS * sizeof *home);
	if (!regs_separate(t->arena, t->p))
		return;
	t->fresh = VIRTUAL_REGS;
	for (uint32_t k = 0; k < t->p->instrs.n; k++) {
		int const reg = t->p->instrs.at[k].dst.file == REG_TEMP ? t->p->instrs.at[k].dst.index : -1;
		if (reg >= 0)
			home[reg] = old->instrs.at[k].dst.index;
		t->fresh = reg >= t->fresh ? reg + 1 : t->fresh;
	}
	t->home = home;
}

/* Gives each web a register of the model, unless it still has one.  Returns false if there are too few.  Returns false also if chains of dependent
 * texture reads become longer than in `old`, unless the model allows their length and the program has fewer slots. */
static bool assign_model_registers(const struct tidy *t, struct program *p, const struct program *old)
{
	if (t->home && !regs_allocate_at(t->arena, p, t->limits ? t->limits->temps : models[p->model].temps, t->home))
		return false;
	unsigned const order = program_order(p);
	return order <= program_order(old) || (order <= model_order(p->model) && program_total_slots(p) < program_total_slots(old));
}

/* Records the program after the pass in the program's history, with the model's registers if they suffice. */
static void note_tidy_pass(struct tidy *t, const char *pass)
{
	if (!t->p->history)
		return;
	struct program *seen = program_copy(t->arena, t->p);
	assign_model_registers(t, seen, seen);
	history_note(t->arena, seen, pass);
	t->p->history = seen->history;
}

/* Runs a pass.  Returns true if it changed the program. */
static bool run_pass(struct tidy *t, const struct tidy_pass *pass)
{
	struct profile *const profile = t->limits ? t->limits->profile : NULL;
	unsigned const slots = profile ? program_total_slots(t->p) : 0;
	profile_begin(profile, pass->name);
	bool const changed = pass->run(t);
	t->joined = changed ? pass->run == tidy_join : t->joined;
	if (changed)
		note_tidy_pass(t, pass->name);
	if (changed && profile)
		profile_change(profile, slots, program_total_slots(t->p));
	profile_end(profile);
	return changed;
}

static struct tidy start_tidying(struct arena *arena, struct program *p, const struct outputs_read *read, const struct tidy_limits *limits)
{
	struct flow *flow = arena_zero(arena, sizeof *flow);
	flow->program = p;
	struct tidy t = {.arena = arena, .p = p, .read = read, .limits = limits, .flow = flow, .stale = true};
	for (uint32_t k = 0; k < p->decls.n; k++)
		if (p->decls.at[k].kind == DECL_DEF)
			t.literal[p->decls.at[k].reg.index] = true;
	return t;
}

/* Runs the passes in turn until each has run on the present program and changed nothing, or ROUNDS is reached.  Returns true if any of them changed
 * the program. */
static bool run_passes(struct tidy *t)
{
	bool any = false;
	for (unsigned step = 0, next = 0, idle = 0; step < ROUNDS * PASSES; step++) {
		t->settled = false;
		bool const changed = run_pass(t, &passes[next]);
		next = (next + 1) % PASSES;
		idle = changed ? t->settled : idle + 1;
		any |= changed;
		if (idle < PASSES)
			continue;
		/* Run these passes last: they may need a new literal where the passes above do without. */
		unsigned k = 0;
		while (k < LAST_PASSES && !run_pass(t, &last_passes[k]))
			k++;
		if (k == LAST_PASSES)
			break;
		any = true;
		next = idle = 0;
	}
	return any;
}

static bool tidy(struct arena *arena, struct program *p, const struct outputs_read *read, const struct tidy_limits *limits)
{
	const struct program *old = program_copy(arena, p);
	struct tidy t = start_tidying(arena, p, read, limits);
	separate(&t, old);
	bool const marked = modifier_mark(p);
	if ((!run_passes(&t) && !marked) || !assign_model_registers(&t, p, old)) {
		*p = *old;
		return false;
	}
	program_drop_unread(arena, p, old);
	history_note(arena, p, "declarations");
	return true;
}

bool tidy_program(struct arena *arena, struct program *p, const struct outputs_read *read, const struct tidy_limits *limits)
{
	struct profile *const profile = limits ? limits->profile : NULL;
	unsigned const slots = profile ? program_total_slots(p) : 0;
	profile_begin(profile, "tidy");
	bool const changed = tidy(arena, p, read, limits);
	if (changed && profile)
		profile_change(profile, slots, program_total_slots(p));
	profile_end(profile);
	return changed;
}

bool tidy_settle(struct arena *arena, struct program *ps)
{
	const struct program *old = program_copy(arena, ps);
	struct tidy_limits const limits = {.old = old, .consts = {0, -1}, .temps = models[model_written(ps->model)].temps};
	struct tidy t = start_tidying(arena, ps, NULL, &limits);
	bool any = false;
	enum model const model = ps->model;
	ps->model = model_written(model); /* operands may have only the swizzles of the model that is written at the end */
	/* Begin again at the first pass (dead code) after each change: operands must not be made to read the result of a dead instruction because a
	 * later one repeats it. */
	for (unsigned k = 0, step = 0; k < SETTLING && step < ROUNDS * SETTLING; step++) {
		bool const changed = run_pass(&t, &settling[k]);
		any |= changed;
		k = changed ? 0 : k + 1;
	}
	ps->model = model;
	if (any)
		program_drop_unread(arena, ps, old);
	return any;
}

bool tidy_outputs(struct arena *arena, struct program *p, const struct target *target)
{
	if (!model_links(p->model) || program_stage(p) != STAGE_PIXEL)
		return false;
	struct program *const as_it_was = program_copy(arena, p);
	struct tidy t = start_tidying(arena, p, NULL, NULL);
	static const struct tidy_pass pass = {"outputs", tidy_pixel_outputs};
	if (!run_pass(&t, &pass))
		return false;
	bool const dearer = target_written_pixel(target, p) > target_written_pixel(target, as_it_was);
	if (dearer)
		*p = *as_it_was;
	return !dearer;
}
