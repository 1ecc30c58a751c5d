/* Takes the best of many results: tidies the ones that may be the best, and compares them (compare.c). */
#include "lang/modifier.h"
#include "move/candidates.h"
#include "move/graph/free_constants.h"
#include "move/plan/layout.h"

#include <string.h>

struct move_result **group_results(struct arena *arena, const struct group *g)
{
	return arena_zero(arena, group_pairs(g) * sizeof(struct move_result *));
}

bool group_has_shared(const struct group *g, unsigned i, enum stage stage)
{
	return i > 0 && (stage == STAGE_VERTEX ? g->nps : g->nvs) > 1;
}

/* Drops the result's notes (folds, consts) about new constants that tidying has removed from the programs, whose registers may now hold other
 * literals.  Reads by c[a0.x + n] do not count: they read no register that was free. */
static void drop_stale_notes(struct move_result *r)
{
	struct register_set const read[2] = {[STAGE_VERTEX] = program_reads_all(r->vs, REG_CONST, true), [STAGE_PIXEL] = program_reads_all(r->ps, REG_CONST, true)};
	uint32_t kept = 0;
	for (uint32_t k = 0; k < r->folds.n; k++) {
		const struct folded *f = &r->folds.at[k];
		const struct program *p = f->stage == STAGE_VERTEX ? r->vs : r->ps;
		bool const declared = program_decl(p, REG_CONST, f->index) != NULL;
		if (f->preset ? register_is_in(&read[f->stage], f->index) && !declared : declared)
			r->folds.at[kept++] = *f;
	}
	r->folds.n = kept;
	kept = 0;
	for (uint32_t k = 0; k < r->consts.n; k++)
		if (register_is_in(&read[STAGE_VERTEX], r->consts.at[k].vs) && !program_decl(r->vs, REG_CONST, r->consts.at[k].vs))
			r->consts.at[kept++] = r->consts.at[k];
	r->consts.n = kept;
}

/* Returns the outputs that pair i's VP must write: those that the FPs of its pairs read, and those for FPs that stay as they are. */
static struct outputs_read outputs_read_from_vertex(const struct group *g, struct move_result *const *all, unsigned i)
{
	struct outputs_read sum = group_vs(g, i)->promised;
	for (unsigned k = g->nps > 1 ? 0 : i; k < (g->nps > 1 ? g->nps : i + 1); k++) {
		struct outputs_read const read = outputs_read_by(all[k]->ps);
		sum = outputs_read_by_both(&sum, &read);
	}
	return sum;
}

/* Sets written[] to the lanes of each interpolator that all VPs used with pair i's FP write. */
static void find_interpolator_lanes(const struct group *g, struct move_result *const *all, unsigned i, lanes written[INTERPOLATORS])
{
	memset(written, MASK_XYZW, INTERPOLATORS * sizeof *written);
	for (unsigned k = g->nvs > 1 ? 0 : i; k < (g->nvs > 1 ? g->nvs : i + 1); k++) {
		lanes writes[INTERPOLATORS] = {0};
		for (uint32_t n = 0; n < all[k]->vs->instrs.n; n++) {
			const struct instr *out = &all[k]->vs->instrs.at[n];
			if (out->dst.file == REG_TEX_OUT && out->dst.index < INTERPOLATORS)
				writes[out->dst.index] |= instr_writes(out);
		}
		for (unsigned r = 0; r < INTERPOLATORS; r++)
			written[r] &= writes[r];
	}
}

/* Writes each _abs that cannot be a modifier of the operands that read it as an instruction, so that it counts as one when results are
 * compared. */
static void settle_modifiers(struct arena *arena, const struct group *g, struct move_result *const *all)
{
	for (unsigned i = 0; i < group_pairs(g); i++) {
		if (!group_has_shared(g, i, STAGE_VERTEX))
			modifier_settle(arena, all[i]->vs);
		if (!group_has_shared(g, i, STAGE_PIXEL))
			modifier_settle(arena, all[i]->ps);
	}
}

/* Returns the results with tidied programs, or the given ones if tidying changes nothing or makes them worse.  With `straight`, it does not
 * join scalars into vectors. */
static struct move_result **tidied_with(struct arena *arena, const struct group *g, const bool *rounds, struct move_result **all,
                                        bool straight)
{
	struct move_result **new = group_results(arena, g);
	bool changed = false;
	for (unsigned i = 0; i < group_pairs(g); i++) {
		struct move_result *t = new[i] = arena_alloc(arena, sizeof *t);
		*t = *all[i];
		if (group_has_shared(g, i, STAGE_PIXEL)) {
			t->ps = new[0]->ps;
			continue;
		}
		t->ps = program_as_written(arena, all[i]->ps); /* in the model of the output, as tidying may only use that model's swizzles */
		struct tidy_limits limits = tidy_limits_of(group_ps(g, i), rounds[i], group_options(g, i), &t->folds);
		limits.straight = straight;
		find_interpolator_lanes(g, all, i, limits.written);
		changed |= tidy_program(arena, t->ps, NULL, &limits);
	}
	for (unsigned i = 0; i < group_pairs(g); i++) {
		if (group_has_shared(g, i, STAGE_VERTEX)) {
			new[i]->vs = new[0]->vs;
			continue;
		}
		if (group_options(g, i)->vp_stays)
			continue;
		struct outputs_read const read = is_planted(g->options, PLANT_SHARED_CUT) ? outputs_read_by(new[i]->ps) : outputs_read_from_vertex(g, new, i);
		struct program *vs = program_copy(arena, all[i]->vs);
		struct tidy_limits limits = tidy_limits_of(group_vs(g, i), rounds[i], group_options(g, i), &all[i]->folds);
		changed |= tidy_program(arena, vs, &read, &limits);
		new[i]->vs = vs;
	}
	settle_modifiers(arena, g, all);
	settle_modifiers(arena, g, new);
	if (!changed || !move_not_worse(g, new, all))
		return all;
	for (unsigned i = 0; i < group_pairs(g); i++)
		drop_stale_notes(new[i]);
	return new;
}

/* Returns the tidied results, or those given if tidying makes them no better.  For R300, which issues vector and scalar instructions in
 * pairs, it takes the better of tidying with and without joining scalars into vectors. */
static struct move_result **tidied(struct arena *arena, const struct group *g, const bool *rounds, struct move_result **all)
{
	struct move_result **joined = tidied_with(arena, g, rounds, all, false);
	if (g->options->target.machine != MACHINE_R300)
		return joined;
	struct move_result **straight = tidied_with(arena, g, rounds, all, true);
	return move_not_worse(g, joined, straight) ? joined : straight;
}

void candidates_add(struct arena *arena, const struct group *g, struct move_result **all, struct candidates *to)
{
	VEC_PUSH(arena, to) = (struct candidate){all, move_time(g, all), move_fits(g, all)};
}

static bool have_same_programs(const struct group *g, const struct candidate *a, const struct candidate *b)
{
	bool alike = a->time == b->time;
	for (unsigned i = 0; i < group_pairs(g) && alike; i++)
		alike = program_same(a->all[i]->vs, b->all[i]->vs) && program_same(a->all[i]->ps, b->all[i]->ps);
	return alike;
}

/* A candidate is tidied only if its time exceeds the least by at most 1/SHARE_TIDIED (1/SHARE_OF_SLOTS if slots are the target), or by a unit
 * for each pair if that is more, since tidying rarely saves more of one candidate than of another. */
enum { SHARE_TIDIED = 16, SHARE_OF_SLOTS = 32 };

/* Returns the time beyond which no candidate is tidied. */
static uint64_t time_to_tidy(const struct candidates *from, const struct group *g)
{
	uint64_t const units = target_unit(&g->options->target) * group_pairs(g);
	uint64_t least = UINT64_MAX;
	bool any_fits = false;
	for (uint32_t k = 0; k < from->n; k++)
		any_fits |= from->at[k].fits;
	for (uint32_t k = 0; k < from->n; k++)
		if (from->at[k].fits == any_fits && from->at[k].time < least)
			least = from->at[k].time;
	uint64_t const share = least / (target_is_slots(&g->options->target) ? SHARE_OF_SLOTS : SHARE_TIDIED);
	return least + (units > share ? units : share);
}

struct move_result **candidates_best(const struct candidates *from, const struct group *g, const bool *rounds, struct arena *arena)
{
	struct move_result **best = NULL;
	uint64_t const most = time_to_tidy(from, g);
	for (uint32_t k = 0; k < from->n; k++) {
		const struct candidate *c = &from->at[k];
		/* The first candidate is the pair as it is, of which tidying may save much more unless slots are the target. */
		bool useless = c->time > most && (k || target_is_slots(&g->options->target));
		for (uint32_t j = 0; j < k && !useless; j++)
			useless = have_same_programs(g, c, &from->at[j]);
		if (useless)
			continue;
		struct move_result **all = !k && g->options->tidied ? c->all : tidied(arena, g, rounds, c->all);
		best = !best || !move_not_worse(g, best, all) ? all : best;
	}
	return best;
}
