/* Finds options that would help a rejected pair, see remedy.h. */
#include "cli/remedy.h"

enum { STOPS = GIVEN_MAX_MOVES | GIVEN_STOP_AT,
       BUDGETS = GIVEN_VS_SLOTS | GIVEN_VS_TEMPS | GIVEN_VS_CONSTS | GIVEN_TEXCOORDS | GIVEN_PS_ARITH | GIVEN_PS_TEX };

/* Each of these functions lifts a limit in the options.  It returns false if a trial with the changed options is useless: nothing changed,
 * or another of the functions makes the same change. */
static bool without_stops(struct run_options *o)
{
	bool const given = o->given & STOPS;
	o->given &= ~(unsigned)STOPS;
	return given;
}

static bool better_level(struct run_options *o)
{
	bool const low = o->move.level < 2;
	o->move.level = 2;
	return low;
}

static bool without_budgets(struct run_options *o)
{
	bool const given = o->given & BUDGETS;
	o->given &= ~(unsigned)BUDGETS;
	return given;
}

static bool without_drop_in(struct run_options *o)
{
	bool const given = o->move.drop_in;
	o->move.drop_in = false;
	return given;
}

static bool without_limits(struct run_options *o)
{
	bool const level = better_level(o), stops = without_stops(o), budgets = without_budgets(o), drop_in = without_drop_in(o);
	return level + stops + budgets + drop_in > 1;
}

static bool reassociated(struct run_options *o)
{
	bool const low = o->move.level < 3;
	o->move.level = 3;
	return low && !(o->given & STOPS);
}

static bool with_plain_textures(struct run_options *o)
{
	bool const some = o->move.plain_textures != ~0u;
	o->move.plain_textures = ~0u;
	return some;
}

static bool with_finite_textures(struct run_options *o)
{
	bool const some = o->move.finite_textures != ~0u;
	o->move.finite_textures = ~0u;
	return some;
}

static bool with_free_ties(struct run_options *o)
{
	bool const given = o->move.free_ties;
	o->move.free_ties = true;
	return !given;
}

static const struct remedy {
	const char *how;
	bool (*change)(struct run_options *);
} remedies[] = {
	{"at -O2", better_level},
	{"without --max-moves and --ps-slots", without_stops},
	{"without the budgets given", without_budgets},
	{"without --drop-in", without_drop_in},
	{"at -O2 without budgets and --drop-in", without_limits},
	{"at -O3", reassociated},
	{"with --plain-textures", with_plain_textures},
	{"with --free-ties", with_free_ties},
	{"with --finite-textures", with_finite_textures},
};

/* Returns true if the pair fits when it is moved with these options. */
static bool fits_with(const struct run *r, const struct run_options *options)
{
	struct arena_mark const mark = arena_mark(r->arena);
	struct run trial = *r;
	trial.options = options;
	trial.vs_text = trial.ps_text = (struct text){.arena = r->arena};
	diag_init(&trial.diags, r->arena);
	bool good = true;
	for (unsigned k = STEP_MOVE; good && k < STEPS; k++)
		good = pipeline[k].run(&trial);
	arena_release(r->arena, mark);
	return good;
}

void find_remedy(struct run *r, const struct options *o)
{
	if (r->status != RUN_REJECTED || !r->unfit)
		return;
	for (unsigned k = 0; k < sizeof remedies / sizeof *remedies; k++) {
		struct run_options options = o->run;
		if (!remedies[k].change(&options) || !fits_with(r, &options))
			continue;
		diag_add(&r->diags, DIAG_NOTE, NULL, r->ps->source, SRCPOS_NONE, "the pair fits %s", remedies[k].how);
		return;
	}
	diag_add(&r->diags, DIAG_NOTE, NULL, r->ps->source, SRCPOS_NONE,
	         "no moves were found after which the pair fits, nor with other options");
}
