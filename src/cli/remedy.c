/* Finds options that would help a rejected pair, see remedy.h. */
#include "cli/remedy.h"

#include <string.h>

enum { STOPS = GIVEN_MAX_MOVES | GIVEN_STOP_AT,
       BUDGETS = GIVEN_VS_SLOTS | GIVEN_VS_TEMPS | GIVEN_VS_CONSTS | GIVEN_TEXCOORDS | GIVEN_PS_ARITH | GIVEN_PS_TEX };

/* Changes of the options to try: limits to lift, and freedoms to give. */
static const struct remedy {
	const char *how;
	unsigned dropped; /* bits of enum run_given: limits that the user set */
	int level;        /* the level to plan at, or 0 for the level of the options */
	bool with_constants, plain_textures, finite_textures, free_ties; /* without --drop-in; with the options of the other three names */
} remedies[] = {
	{"at -O2", .level = 2},
	{"without --max-moves and --ps-slots", .dropped = STOPS},
	{"without the budgets given", .dropped = BUDGETS},
	{"without --drop-in", .with_constants = true},
	{"at -O2 without budgets and --drop-in", STOPS | BUDGETS, .level = 2, .with_constants = true},
	{"at -O3", .level = 3},
	{"with --plain-textures", .plain_textures = true},
	{"with --free-ties", .free_ties = true},
	{"with --finite-textures", .finite_textures = true},
};

/* Applies the changes to the options.  Returns false if a trial with them is useless: nothing changed, or -O3 would plan by the method of -O1. */
static bool apply_remedy(const struct remedy *r, struct run_options *o)
{
	struct run_options const before = *o;
	o->given &= ~r->dropped;
	o->move.level = r->level ? r->level : o->move.level;
	o->move.drop_in &= !r->with_constants;
	o->move.plain_textures |= r->plain_textures ? ~0u : 0;
	o->move.finite_textures |= r->finite_textures ? ~0u : 0;
	o->move.free_ties |= r->free_ties;
	return !(r->level == 3 && o->given & STOPS) && memcmp(&before, o, sizeof before) != 0;
}

/* Returns true if the pair can be moved with these options so that it fits its models and is proven equal. */
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
		if (!apply_remedy(&remedies[k], &options) || !fits_with(r, &options))
			continue;
		diag_add(&r->diags, DIAG_NOTE, NULL, r->ps->source, SRCPOS_NONE, "the pair fits %s", remedies[k].how);
		return;
	}
	diag_add(&r->diags, DIAG_NOTE, NULL, r->ps->source, SRCPOS_NONE,
	         "no moves were found after which the pair fits, nor with other options");
}
