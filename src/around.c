/* Plans a pair with flow control by its straight forms, see around.h.  "Hoisted" means computed before its block (lang/hoist.h). */
#include "around.h"

#include "steps.h"

#include "lang/check.h"
#include "lang/hoist.h"
#include "lang/resolve.h"

/* No instruction is hoisted after this number of plans for a pair. */
enum { HOIST_ROUNDS = 4 };

static const char BLOCKS_STAY[] = "its blocks cannot be kept as they are around what would move";

struct straight {
	struct resolved known[2]; /* by stage, the given program, in which flow control that depends on literals alone is resolved */
	bool *wanted;             /* for each instruction of the resolved pixel program, true to hoist it if it can be hoisted */
	struct hoisted hoisted;   /* the resolved pixel program after the wanted instructions were hoisted */
	struct outline of[2];     /* by stage, the outline from which blocks are restored; its `given` is NULL if the program has no flow control */
	const struct program *vs; /* the vertex program that is planned in place of the given one */
};

/* Returns the program of a stage that is planned in place of the given one: its straight form, or itself if it has no blocks. */
static const struct program *planned(const struct straight *s, enum stage stage)
{
	return stage == STAGE_VERTEX ? s->vs : s->of[stage].given ? s->of[stage].straight : s->hoisted.program;
}

/* Returns the index in the given pixel program of instruction k of the planned one, or NO_INSTR if it stands for a block. */
static uint32_t given_instr(const struct straight *s, uint32_t k)
{
	const uint32_t *const known = s->known[STAGE_PIXEL].origin;
	k = s->of[STAGE_PIXEL].given ? s->of[STAGE_PIXEL].origin[k] : k;
	k = k != NO_INSTR && s->hoisted.n ? s->hoisted.origin[k] : k;
	return k != NO_INSTR && known ? known[k] : k;
}

/* Returns true if instruction k of the planned pixel program was hoisted out of a block. */
static bool is_hoisted(const struct straight *s, uint32_t k)
{
	uint32_t const at = s->hoisted.n ? s->of[STAGE_PIXEL].origin[k] : NO_INSTR;
	return at != NO_INSTR && s->hoisted.moved[at];
}

/* Returns the fates (what the plan did with each instruction) of the given pixel program, translated from those of the planned one.  Instructions
 * of blocks get the verdict MOVE_BLOCK. */
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

/* Puts the blocks of one stage back into *planned, the result for its straight form, if the program has any.  Returns false, and leaves *planned,
 * if that fails. */
static bool put_back(struct arena *arena, const struct outline *o, struct program **planned)
{
	struct program *restored = o->given ? outline_restore(arena, o, *planned) : *planned;
	if (restored && o->given)
		restored->model = o->given->model;
	*planned = restored ? restored : *planned;
	return restored != NULL;
}

/* Returns true if `made`, the new version of a program, keeps all rules of the model in which it will be written, or if the given program has no
 * flow control.  A ps_2_x program that lost its blocks becomes ps_2_0, which has fewer swizzles and slots. */
static bool keeps_rules_with_blocks(const struct run *r, const struct program *given, const struct program *made)
{
	struct diags said;
	diag_init(&said, r->arena);
	if (program_flows(given))
		check_program(program_as_written(r->arena, made), &(struct check_options){.unwritten_warns = true, .errors_only = true, .device = &r->options->device}, &said);
	return !said.errors;
}

/* Puts the blocks back into both programs of the result `moved`, and translates its fates.  Returns false if that fails, or if the programs
 * then break a rule. */
static bool restore_blocks(struct run *r, const struct straight *s, struct move_result *moved)
{
	const struct outline *const vs = &s->of[STAGE_VERTEX], *const ps = &s->of[STAGE_PIXEL];
	bool const done = put_back(r->arena, vs, &moved->vs) && put_back(r->arena, ps, &moved->ps) && run_declare(r, moved) &&
	                  keeps_rules_with_blocks(r, r->vs, moved->vs) && keeps_rules_with_blocks(r, r->ps, moved->ps);
	moved->fates = fates_of(r, s, moved->fates);
	return done;
}

static bool is_moved_pair_proven(struct run *r, const struct move_result *moved)
{
	struct proof_context context = run_context(r);
	context.consts = moved->consts.at;
	context.nconsts = moved->consts.n;
	context.folds = moved->folds.at;
	context.nfolds = moved->folds.n;
	return prove(r->arena, (struct pair){r->vs, r->ps}, (struct pair){moved->vs, moved->ps}, &context).equal;
}

/* In both programs, resolves the flow control that depends on literals alone.  If `hoists` is set, marks all instructions of the pixel program as
 * wanted to be hoisted, else none. */
static void resolve_pair(struct arena *arena, struct pair given, bool hoists, struct straight *s)
{
	resolve(arena, given.vs, &s->known[STAGE_VERTEX]);
	resolve(arena, given.ps, &s->known[STAGE_PIXEL]);
	uint32_t const n = s->known[STAGE_PIXEL].program->instrs.n;
	s->wanted = arena_alloc(arena, n + 1);
	memset(s->wanted, hoists, n);
}

/* Returns a copy of the vertex program that is planned.  Marks as `promised` the outputs that the FP reads by v[aL + n]: the planner must keep
 * them. */
static const struct program *planned_vs(struct arena *arena, const struct straight *s)
{
	const struct program *left = s->known[STAGE_VERTEX].program;
	struct program *vs = program_copy(arena, s->of[STAGE_VERTEX].given ? s->of[STAGE_VERTEX].straight : left);
	struct outputs_read const addressed = program_inputs_addressed(s->hoisted.program);
	vs->promised = outputs_read_by_both(&vs->promised, &addressed);
	return vs;
}

/* Makes the straight forms, with the wanted instructions hoisted.  Returns NULL, or the reason if a program has no straight form. */
static const char *form(struct arena *arena, struct straight *s)
{
	memset(s->of, 0, sizeof s->of);
	hoist(arena, s->known[STAGE_PIXEL].program, s->wanted, &s->hoisted);
	const struct program *const left[2] = {s->known[STAGE_VERTEX].program, s->hoisted.program};
	const char *why = NULL;
	for (unsigned stage = 0; stage < 2 && !why; stage++)
		if (program_flows(left[stage]))
			why = outline(arena, left[stage], NULL, &s->of[stage]);
	s->vs = planned_vs(arena, s);
	return why;
}

static void hoist_none(struct straight *s)
{
	memset(s->wanted, 0, s->known[STAGE_PIXEL].program->instrs.n);
}

static struct move_result *plan_straight(struct run *r, const struct straight *s, const struct move_options *m)
{
	const struct program *const given[2] = {r->vs, r->ps};
	r->vs = planned(s, STAGE_VERTEX);
	r->ps = planned(s, STAGE_PIXEL);
	struct move_result *moved = run_plan(r, m);
	r->vs = given[STAGE_VERTEX];
	r->ps = given[STAGE_PIXEL];
	return moved;
}

/* Returns true if the new program still has an instruction that came from place `at` of the given text. */
static bool still_has(const struct program *new, srcpos at)
{
	bool any = false;
	for (uint32_t k = 0; k < new->instrs.n; k++)
		any |= new->instrs.at[k].at == at;
	return any;
}

/* Clears `wanted` for hoisted instructions whose flag in `stays` (by index in the planned program) is set, so that form() leaves them in their
 * blocks next time.  Returns true if it cleared none. */
static bool leave_in_blocks(struct straight *s, const bool *stays)
{
	bool none = true;
	for (uint32_t k = 0; k < planned(s, STAGE_PIXEL)->instrs.n; k++) {
		if (!stays[k] || !is_hoisted(s, k))
			continue;
		s->wanted[s->hoisted.origin[s->of[STAGE_PIXEL].origin[k]]] = false;
		none = false;
	}
	return none;
}

/* Returns true if the plan moved all hoisted instructions out of the FP.  Clears `wanted` for the others, so that form() leaves them in their
 * blocks. */
static bool all_left(struct arena *arena, struct straight *s, const struct move_result *moved)
{
	uint32_t const n = planned(s, STAGE_PIXEL)->instrs.n;
	bool *stays = arena_alloc(arena, n + 1);
	for (uint32_t k = 0; k < n; k++)
		stays[k] = still_has(moved->ps, planned(s, STAGE_PIXEL)->instrs.at[k].at);
	return leave_in_blocks(s, stays);
}

/* Makes the straight forms.  Hoists only instructions that a plan may move out of the FP.  Returns NULL, or the reason if there are no straight
 * forms. */
static const char *form_for_plan(struct arena *arena, struct straight *s, const struct move_options *m)
{
	const char *why = form(arena, s);
	if (why || !s->hoisted.n)
		return why;
	const struct program *const vs = planned(s, STAGE_VERTEX), *const ps = planned(s, STAGE_PIXEL);
	bool *stays = arena_alloc(arena, ps->instrs.n + 1);
	struct arena_mark const mark = arena_mark(arena);
	move_find_staying(arena, vs, ps, m, stays);
	arena_release(arena, mark);
	return leave_in_blocks(s, stays) ? NULL : form(arena, s);
}

/* Returns true if the new FP has fewer slots, or as many and the new VP has no more than the given one.  A plan cannot tell: it does not count
 * the movs that blocks may need for the values that they read. */
static bool pays(const struct run *r, const struct move_result *moved)
{
	unsigned const fp[2] = {program_total_slots(r->ps), program_total_slots(moved->ps)};
	return fp[1] < fp[0] || (fp[1] == fp[0] && program_total_slots(moved->vs) <= program_total_slots(r->vs));
}

/* Plans work outside of the blocks, and instructions in blocks that can leave the FP altogether.  An instruction that would only move to a place
 * before its block, where it might be computed in vain, stays in the block.  *hoists says whether instructions may leave blocks; afterwards it
 * says whether one did.  Returns NULL if there are no straight forms, for the reason in `stays`, if the blocks cannot be put back into the
 * result, or if it is longer. */
static struct move_result *move_straight(struct run *r, const struct move_options *m, bool *hoists)
{
	struct straight s;
	resolve_pair(r->arena, (struct pair){r->vs, r->ps}, *hoists && m->level > 1, &s);
	for (unsigned round = 1;; round++) {
		r->stays = round == 1 ? form_for_plan(r->arena, &s, m) : form(r->arena, &s);
		struct move_result *moved = r->stays ? NULL : plan_straight(r, &s, m);
		bool const all = !moved || all_left(r->arena, &s, moved);
		*hoists = s.hoisted.n > 0;
		if (moved && all && restore_blocks(r, &s, moved) && pays(r, moved))
			return moved;
		if (!*hoists)
			return NULL;
		if (all || round == HOIST_ROUNDS)
			hoist_none(&s);
	}
}

struct straight *around_straighten(struct arena *arena, struct pair given, bool hoists, const char **why)
{
	struct straight *s = arena_alloc(arena, sizeof *s);
	resolve_pair(arena, given, hoists, s);
	*why = form(arena, s);
	if (*why && s->hoisted.n) {
		hoist_none(s);
		*why = form(arena, s);
	}
	return *why ? NULL : s;
}

bool around_again(struct arena *arena, struct straight *s, const struct move_result *moved, unsigned round)
{
	if (!s->hoisted.n || (moved && all_left(arena, s, moved)))
		return false;
	if (!moved || round >= HOIST_ROUNDS)
		hoist_none(s);
	form(arena, s);
	return true;
}

struct pair around_planned(const struct straight *s)
{
	return (struct pair){planned(s, STAGE_VERTEX), planned(s, STAGE_PIXEL)};
}

/* Puts the blocks back into the new version of the program that all n pairs share, and stores that in each result.  Returns false, and leaves the
 * results, if that fails. */
static bool restore_shared(struct arena *a, const struct straight *s, struct move_result *const *moved, uint32_t n, enum stage shared)
{
	bool const vertex = shared == STAGE_VERTEX;
	struct program *p = vertex ? moved[0]->vs : moved[0]->ps;
	bool const done = put_back(a, &s->of[shared], &p);
	for (uint32_t k = 0; k < n; k++)
		*(vertex ? &moved[k]->vs : &moved[k]->ps) = p;
	return done;
}

/* Returns true if a run of a group without flow control is given, or if its result, with the blocks put back, keeps all rules, is no longer by
 * pays() (not asked if only the VP has flow control), and is proven. */
static bool is_good(struct run *r, const struct move_result *moved)
{
	if (!program_flows(r->vs) && !program_flows(r->ps))
		return true;
	return keeps_rules_with_blocks(r, r->vs, moved->vs) && keeps_rules_with_blocks(r, r->ps, moved->ps) &&
	       (!program_flows(r->ps) || pays(r, moved)) && is_moved_pair_proven(r, moved);
}

bool around_restore(struct run *const *runs, struct straight *const *of, struct move_result *const *moved, uint32_t n, bool same_vs)
{
	struct arena *a = runs[0]->arena;
	enum stage const shared = same_vs ? STAGE_VERTEX : STAGE_PIXEL, own = same_vs ? STAGE_PIXEL : STAGE_VERTEX;
	bool all = restore_shared(a, of[0], moved, n, shared), none = !all;
	for (uint32_t k = 0; k < n; k++) {
		runs[k]->leaves = !put_back(a, &of[k]->of[own], same_vs ? &moved[k]->ps : &moved[k]->vs) || !run_declare(runs[k], moved[k]);
		moved[k]->fates = fates_of(runs[k], of[k], moved[k]->fates);
	}
	for (uint32_t k = 0; k < n && !none; k++) {
		runs[k]->leaves = runs[k]->leaves || !is_good(runs[k], moved[k]);
		all &= !runs[k]->leaves;
		none = !same_vs && !all; /* if the runs share the pixel program, one failure keeps all pairs as they are */
	}
	for (uint32_t k = 0; k < n; k++) {
		runs[k]->leaves |= none;
		runs[k]->stays = runs[k]->leaves ? BLOCKS_STAY : runs[k]->stays;
	}
	return all;
}

struct move_result *around_move(struct run *r, struct move_options *m)
{
	struct move_result *moved = NULL;
	m->preshader = false;
	r->stays = NULL;
	int const lowest = m->vp_stays ? 2 : 1; /* the method of -O1, which must change the VP, is no choice if the VP stays */
	for (unsigned way = 0; !r->stays && !moved && m->level >= lowest; way += 2) {
		bool hoists = r->refuted <= way;
		moved = r->refuted < way + 2 ? move_straight(r, m, &hoists) : NULL;
		r->way = way + !hoists;
		m->level -= !moved;
	}
	if (!moved && !r->stays)
		r->stays = BLOCKS_STAY;
	return moved;
}

bool around_is_refuted(struct run *r)
{
	if (!r->moved || r->together || (!program_flows(r->vs) && !program_flows(r->ps)) || is_moved_pair_proven(r, r->moved))
		return false;
	r->refuted = r->way + 1;
	return true;
}
