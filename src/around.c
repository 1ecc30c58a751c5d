/* A pair with flow control back from what was planned for its straight forms, see around.h. */
#include "around.h"

#include "steps.h"

#include "lang/check.h"

#include <string.h>

/* Tells what becomes of each instruction of a program with flow control, from what becomes of its straight form. */
static struct fate *fates_of(struct run *r, const struct outline *o, const struct fate *straight)
{
	struct fate *fates = arena_zero(r->arena, (o->given->instrs.n + 1) * sizeof *fates);
	for (uint32_t k = 0; k < o->given->instrs.n; k++) {
		fates[k].verdict = MOVE_BLOCK;
		memset(fates[k].lane, MOVE_BLOCK, sizeof fates[k].lane);
		fates[k].because = UINT32_MAX;
	}
	for (uint32_t k = 0; k < o->straight->instrs.n; k++) {
		if (o->origin[k] == NO_INSTR)
			continue;
		struct fate *to = &fates[o->origin[k]];
		*to = straight[k];
		to->because = to->because == UINT32_MAX ? UINT32_MAX : o->origin[to->because];
	}
	return fates;
}

/* Puts the blocks back into what was planned for the straight forms.  False: they cannot be, or break a rule there. */
static bool restore(struct run *r, const struct outline o[2], struct move_result *moved)
{
	struct program **to[2] = {&moved->vs, &moved->ps};
	struct diags said;
	diag_init(&said, r->arena);
	for (unsigned stage = 0; stage < 2; stage++) {
		if (!o[stage].given)
			continue;
		struct program *restored = outline_restore(r->arena, &o[stage], *to[stage]);
		if (!restored)
			return false;
		restored->model = o[stage].given->model;
		*to[stage] = restored;
		check_program(restored, &(struct check_options){.unwritten_warns = true, .errors_only = true}, &said);
	}
	if (o[STAGE_PIXEL].given)
		moved->fates = fates_of(r, &o[STAGE_PIXEL], moved->fates);
	return !said.errors;
}

static bool is_proven(struct run *r, const struct move_result *moved)
{
	struct proof_context context = run_context(r);
	context.consts = moved->consts.at;
	context.nconsts = moved->consts.n;
	context.folds = moved->folds.at;
	context.nfolds = moved->folds.n;
	return prove(r->arena, (struct pair){r->vs, r->ps}, (struct pair){moved->vs, moved->ps}, &context).equal;
}

bool around_restore(struct run *r, const struct outline o[2], struct move_result *moved)
{
	return restore(r, o, moved) && program_total_slots(moved->ps) <= program_total_slots(r->ps) && is_proven(r, moved);
}
