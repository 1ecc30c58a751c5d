/* Plans a pair with flow control by its straight forms, see around.h. */
#include "around.h"

#include "steps.h"

#include "lang/check.h"
#include "lang/hoist.h"
#include "lang/resolve.h"

/* Limits how often a pair is planned before all stays in its blocks. */
enum { HOIST_ROUNDS = 4 };

/* The straight forms of the run's pair. */
struct straight {
	struct resolved known[2]; /* by stage: without the flow control that literals decide */
	struct hoisted hoisted;   /* of the pixel program: what is computed before its blocks */
	struct outline of[2];     /* by stage; `given` is NULL where a program is straight */
};

/* Returns the program that is planned. */
static const struct program *planned(const struct straight *s, enum stage stage)
{
	const struct program *left = stage == STAGE_PIXEL ? s->hoisted.program : s->known[stage].program;
	return s->of[stage].given ? s->of[stage].straight : left;
}

/* Returns which instruction of the given pixel program one of the planned one is; NO_INSTR: none. */
static uint32_t given_instr(const struct straight *s, uint32_t k)
{
	const uint32_t *const known = s->known[STAGE_PIXEL].origin;
	k = s->of[STAGE_PIXEL].given ? s->of[STAGE_PIXEL].origin[k] : k;
	k = k != NO_INSTR && s->hoisted.n ? s->hoisted.origin[k] : k;
	return k != NO_INSTR && known ? known[k] : k;
}

/* Tells what becomes of each instruction of the pixel program, from what becomes of the planned one. */
static struct fate *fates_of(struct run *r, const struct straight *s, const struct fate *of_planned)
{
	uint32_t const n = r->ps->instrs.n;
	struct fate *fates = arena_zero(r->arena, (n + 1) * sizeof *fates);
	for (uint32_t k = 0; k < n; k++) {
		fates[k].verdict = MOVE_BLOCK;
		memset(fates[k].lane, MOVE_BLOCK, sizeof fates[k].lane);
		fates[k].because = UINT32_MAX;
	}
	for (uint32_t k = 0; k < planned(s, STAGE_PIXEL)->instrs.n; k++) {
		if (given_instr(s, k) == NO_INSTR)
			continue;
		struct fate *to = &fates[given_instr(s, k)];
		*to = of_planned[k];
		to->because = to->because == UINT32_MAX ? UINT32_MAX : given_instr(s, to->because);
	}
	return fates;
}

/* Puts the blocks back into what was planned for the straight forms.  False: they cannot be, or break a rule there. */
static bool restore(struct run *r, const struct straight *s, struct move_result *moved)
{
	struct program **const to[2] = {&moved->vs, &moved->ps};
	struct diags said;
	diag_init(&said, r->arena);
	for (unsigned stage = 0; stage < 2; stage++) {
		const struct outline *o = &s->of[stage];
		if (!o->given)
			continue;
		struct program *restored = outline_restore(r->arena, o, *to[stage]);
		if (!restored)
			return false;
		restored->model = o->given->model;
		*to[stage] = restored;
	}
	if (!run_declare(r, moved))
		return false;
	for (unsigned stage = 0; stage < 2; stage++)
		if (s->of[stage].given)
			check_program(*to[stage], &(struct check_options){.unwritten_warns = true, .errors_only = true}, &said);
	moved->fates = fates_of(r, s, moved->fates);
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

/* Finds the straight forms, and returns NULL or why there are none; `hoisted`: the instructions of the pixel program, as far as literals
 * leave them, that may be computed before its blocks. */
static const char *straighten(struct run *r, const bool *hoisted, struct straight *s)
{
	const struct program *const ps = s->known[STAGE_PIXEL].program;
	memset(s->of, 0, sizeof s->of);
	hoist(r->arena, ps, hoisted, &s->hoisted);
	const struct program *const left[2] = {s->known[STAGE_VERTEX].program, s->hoisted.program};
	const char *why = NULL;
	for (unsigned stage = 0; stage < 2 && !why; stage++)
		if (program_flows(left[stage]))
			why = outline(r->arena, left[stage], NULL, &s->of[stage]);
	return why;
}

static struct move_result *plan(struct run *r, const struct straight *s, const struct move_options *m)
{
	const struct program *const given[2] = {r->vs, r->ps};
	r->vs = planned(s, STAGE_VERTEX);
	r->ps = planned(s, STAGE_PIXEL);
	struct move_result *moved = run_plan(r, m);
	r->vs = given[STAGE_VERTEX];
	r->ps = given[STAGE_PIXEL];
	return moved;
}

/* Returns whether the new program still has the instruction at that place of the given text. */
static bool still_has(const struct program *new, srcpos at)
{
	bool any = false;
	for (uint32_t k = 0; k < new->instrs.n; k++)
		any |= new->instrs.at[k].at == at;
	return any;
}

/* Leaves in `hoisted` what moved of it; returns whether that was all. */
static bool all_moved(const struct straight *s, const struct move_result *moved, bool *hoisted)
{
	const struct outline *o = &s->of[STAGE_PIXEL];
	bool all = true;
	for (uint32_t k = 0; s->hoisted.n && k < o->straight->instrs.n; k++) {
		bool const own = o->origin[k] != NO_INSTR && s->hoisted.moved[o->origin[k]];
		if (!own || (moved->fates[k].verdict == MOVE_MOVED && !still_has(moved->ps, o->straight->instrs.at[k].at)))
			continue;
		hoisted[s->hoisted.origin[o->origin[k]]] = false;
		all = false;
	}
	return all;
}

/* Returns whether the FP is shorter, or neither program is longer; what blocks keep may take movs that no plan counts. */
static bool pays(const struct run *r, const struct move_result *moved)
{
	unsigned const fp[2] = {program_total_slots(r->ps), program_total_slots(moved->ps)};
	return fp[1] < fp[0] || (fp[1] == fp[0] && program_total_slots(moved->vs) <= program_total_slots(r->vs));
}

/* Moves by the options what stands outside of the blocks and, of what stands in them, all that can leave the program as a whole: none is
 * computed before its block, where it might be for nothing.  NULL: there are no straight forms, `stays` says why, or the blocks do not fit
 * into what comes of them. */
static struct move_result *move_straight(struct run *r, const struct move_options *m)
{
	struct straight s;
	resolve(r->arena, r->vs, &s.known[STAGE_VERTEX]);
	resolve(r->arena, r->ps, &s.known[STAGE_PIXEL]);
	uint32_t const n = s.known[STAGE_PIXEL].program->instrs.n;
	bool *hoisted = arena_alloc(r->arena, n + 1);
	memset(hoisted, m->level > 1, n);
	for (unsigned round = 1;; round++) {
		r->stays = straighten(r, hoisted, &s);
		struct move_result *moved = r->stays ? NULL : plan(r, &s, m);
		bool const all = !moved || all_moved(&s, moved, hoisted);
		if (moved && all && restore(r, &s, moved) && pays(r, moved) && is_proven(r, moved))
			return moved;
		if (!s.hoisted.n)
			return NULL;
		if (all || round == HOIST_ROUNDS)
			memset(hoisted, 0, n);
	}
}

struct move_result *around_move(struct run *r, struct move_options *m)
{
	struct move_result *moved = NULL;
	m->preshader = false;
	for (r->stays = NULL; !r->stays && !moved && m->level > 0; m->level -= !moved)
		moved = move_straight(r, m);
	if (!moved && !r->stays)
		r->stays = "its blocks cannot be kept as they are around what would move";
	return moved;
}
