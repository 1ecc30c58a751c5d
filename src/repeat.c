/* Plans the result of a plan again, see repeat_move() in steps.h. */
#include "steps.h"

#include "base/profile.h"
#include "lang/needs.h"
#include "move/story.h"

#include <string.h>

enum {
	MOST_TIMES = 4,
	SHARE_OF_AGAIN = 3 /* divisor of the search effort for a further plan, if the result before is not known to be optimal */
};

static uint64_t result_time(const struct move_result *m, const struct move_options *o)
{
	return target_written(&o->target, m->vs, m->ps, o->pixels_per_vertex);
}

static struct fate *fate_at(const struct move_result *m, const struct program *ps, srcpos at)
{
	for (uint32_t k = 0; k < ps->instrs.n && at != SRCPOS_NONE; k++)
		if (ps->instrs.at[k].at == at)
			return &m->fates[k];
	return NULL;
}

/* Adds to the fate of an instruction those of its written lanes that the next plan (`then`) moved and the plans before had left. */
static void join_fate(struct fate *f, lanes written, const struct fate *then)
{
	lanes const moved = then->moved & written;
	if (!(moved & (lanes)~f->moved))
		return;
	f->moved |= moved;
	f->preset |= then->preset & written;
	f->verdict = f->moved == written ? MOVE_MOVED : f->verdict;
	f->because = f->moved == written ? UINT32_MAX : f->because;
	for (unsigned lane = 0; lane < LANES; lane++)
		if (moved >> lane & 1)
			f->lane[lane] = then->lane[lane];
}

/* Returns true if the folded literal `f` of the first result has the same value in the second, which has not folded that lane again. */
static bool is_literal_kept(const struct folded *f, const struct move_result *first, const struct move_result *then)
{
	bool const vertex = f->stage == STAGE_VERTEX;
	const struct decl *old = program_decl(vertex ? first->vs : first->ps, REG_CONST, f->index);
	const struct decl *now = program_decl(vertex ? then->vs : then->ps, REG_CONST, f->index);
	bool kept = old && now && memcmp(&old->value[f->lane], &now->value[f->lane], sizeof now->value[f->lane]) == 0;
	for (uint32_t k = 0; k < then->folds.n && kept; k++)
		kept = then->folds.at[k].stage != f->stage || then->folds.at[k].index != f->index || then->folds.at[k].lane != f->lane;
	return kept;
}

/* Returns a copy of the second result's story (how the planner came to the result, for --dump), linked to the story of the first. */
static const struct story *continued(struct arena *a, const struct story *first, const struct story *then)
{
	struct story *both = (struct story *)(void *)arena_copy(a, then, sizeof *then);
	both->before = first;
	return both;
}

/* Joins the first result and the second, which was planned from it, to one result for the pair `old`.  Returns NULL if an expression that the
 * application computes would then take too many registers. */
static struct move_result *join_results(struct arena *a, struct pair old, const struct move_result *first, const struct move_result *then)
{
	struct needs const before = {.consts = {first->consts.at, first->consts.n, first->consts.cap}};
	struct needs const added = {.consts = {then->consts.at, then->consts.n, then->consts.cap}};
	struct needs all;
	if (!needs_join(a, &before, &added, then->vs, then->ps, &all))
		return NULL;
	for (uint32_t k = 0; k < then->folds.n; k++)
		VEC_PUSH(a, &all.folds) = then->folds.at[k];
	for (uint32_t k = 0; k < first->folds.n; k++)
		if (is_literal_kept(&first->folds.at[k], first, then))
			VEC_PUSH(a, &all.folds) = first->folds.at[k];
	struct move_result *both = arena_alloc(a, sizeof *both);
	*both = *then;
	both->consts.at = all.consts.at;
	both->consts.n = all.consts.n;
	both->consts.cap = all.consts.cap;
	both->folds = all.folds;
	both->optimal = first->optimal && then->optimal;
	both->nodes = first->nodes + then->nodes;
	both->gap = both->optimal ? 0 : first->gap > then->gap ? first->gap : then->gap;
	both->fates = (struct fate *)(void *)arena_copy(a, first->fates, old.ps->instrs.n * sizeof *first->fates);
	both->story = continued(a, first->story, then->story);
	both->moved = 0;
	for (uint32_t k = 0; k < old.ps->instrs.n; k++) {
		const struct instr *i = &old.ps->instrs.at[k];
		const struct fate *f = fate_at(then, first->ps, i->at);
		if (f)
			join_fate(&both->fates[k], instr_writes(i), f);
		both->moved += both->fates[k].verdict == MOVE_MOVED;
	}
	return both;
}

static bool is_joined_proven(struct arena *a, struct pair old, const struct move_result *m, const struct proof_context *context)
{
	struct needs const added = {.consts = {m->consts.at, m->consts.n, m->consts.cap}, .folds = m->folds};
	struct needs all;
	if (!needs_join(a, context->given, &added, m->vs, m->ps, &all))
		return false;
	struct proof_context with = *context;
	with.consts = all.consts.at;
	with.nconsts = all.consts.n;
	with.folds = all.folds.at;
	with.nfolds = all.folds.n;
	return prove(a, old, (struct pair){m->vs, m->ps}, &with).equal;
}

/* Returns a copy of the new program to be planned again.  Reserves the constants that the application sets for the old program: the planner may
 * put nothing else into them. */
static struct program *to_move_again(struct arena *a, const struct program *old, const struct program *new)
{
	struct program *p = program_copy(a, new);
	struct register_set const read = program_reads_all(old, REG_CONST, false);
	for (int c = 0; c < models[old->model].consts; c++)
		if (register_is_in(&read, c) && !program_decl(old, REG_CONST, c))
			register_put_in(&p->reserved, c);
	return p;
}

static struct move_result *move_again(struct arena *a, struct pair old, const struct move_result *m, const struct move_options *o)
{
	struct move_options faster = *o;
	faster.faster = true;
	faster.paper_too = m->left_by_plan;
	faster.tidied = !m->folds.n;
	faster.effort /= m->optimal ? 1 : SHARE_OF_AGAIN;
	const struct program *vs = to_move_again(a, old.vs, m->vs), *ps = to_move_again(a, old.ps, m->ps);
	profile_begin(o->profile, "again");
	struct move_result *result = move_plan(a, vs, mark_depth_reads(a, ps, &vs, 1, o->plain_textures), &faster);
	profile_end(o->profile);
	return result;
}

struct move_result *repeat_move(struct arena *a, struct pair old, struct move_result *first, const struct move_options *o,
                                const struct proof_context *context)
{
	if (o->level < 2 || o->preshader || o->ps_slots || o->max_moves < old.ps->instrs.n || first->final ||
	    (target_is_slots(&o->target) && program_same(first->vs, old.vs) && program_same(first->ps, old.ps)))
		return first;
	struct group const given = {.vs = &old.vs, .ps = &old.ps, .nvs = 1, .nps = 1, .options = o};
	for (unsigned times = 0; times < MOST_TIMES; times++) {
		struct arena_mark const mark = arena_mark(a);
		struct move_result *then = move_again(a, old, first, o);
		uint64_t const before = result_time(first, o), after = result_time(then, o);
		bool const loses = o->several && move_not_worse(&given, &first, &then); /* the new result is worse under one of several targets */
		if (after >= before || loses) {
			arena_release(a, mark);
			return first;
		}
		struct move_result *both = join_results(a, old, first, then);
		if (!both || !is_joined_proven(a, old, both, context)) {
			unsigned const more = (unsigned)((before - after + target_unit(&o->target) - 1) / target_unit(&o->target));
			arena_release(a, mark);
			first->optimal = false;
			first->gap = first->gap > more ? first->gap : more;
			return first;
		}
		first = both;
	}
	first->gap += first->optimal;
	first->optimal = false;
	return first;
}
