/* Moves a pair by -O1, the method of Ikeda, Ino and Hagihara (2005).  Conditions C1 to C4 decide which instructions may move, and steps M1 to
 * M4 move them.  As long as a budget is exceeded, the latest move in the order of execution is given up. */
#include "move/paper/paper.h"

#include "lang/history.h"
#include "move/graph/values.h"

#include <string.h>

static void keep_in_ps(struct rewrite *rw, struct fate *fates, uint32_t k, enum verdict why, uint32_t because)
{
	rw->movable[k] = false;
	fates[k].verdict = (uint8_t)why;
	fates[k].because = because;
	EACH_LANE(lane, instr_writes(&rw->ps->program->instrs.at[k]))
		fates[k].lane[lane] = (uint8_t)why;
}

/* Keeps each movable instruction that reads the result of one that now stays, by the paper's condition C4. */
static void keep_dependents(struct rewrite *rw, struct fate *fates)
{
	for (uint32_t k = 0; k < rw->ps->program->instrs.n; k++) {
		for (uint32_t r = rw->ps->first[k]; rw->movable[k] && r < rw->ps->first[k + 1]; r++) {
			uint32_t def = rw->ps->read[r].def;
			if (def < FLOW_INPUT && !rw->movable[def] && !is_planted(rw->options, PLANT_C4))
				keep_in_ps(rw, fates, k, MOVE_DEPENDS, def);
		}
	}
}

static uint32_t latest_move(const struct rewrite *rw)
{
	uint32_t k = rw->ps->program->instrs.n;
	while (k > 0 && !rw->moves[k - 1])
		k--;
	return k - 1; /* UINT32_MAX if nothing moves */
}

/* Gives up moves until the remaining ones keep the budgets.  If interpolators are missing, it first gives up movs that bring values into the
 * FP's registers, and bundles of constants that the FP can compute as well.  It ends, since each turn gives up at least one of these, and
 * an attempt without moves succeeds. */
static void settle(struct rewrite *rw, struct fate *fates)
{
	rw->brings = true;
	for (;;) {
		bundle_find(rw);
		if (allot_registers(rw) && rewrite_instrs(rw))
			return;
		if (rw->failed == MOVE_BUDGET_INTERP && (rw->brings || bundle_keep_constants(rw))) {
			rw->brings = false;
			continue;
		}
		uint32_t const drop = latest_move(rw);
		if (drop == UINT32_MAX)
			return;
		keep_in_ps(rw, fates, drop, (enum verdict)rw->failed, UINT32_MAX);
		keep_dependents(rw, fates);
	}
}

/* Lets only the first `n` of the instructions that leave the FP move, and gives up moves until the budgets are kept.  `leaves` marks the
 * instructions that leave the FP if all `movable` ones move. */
static void settle_first(struct rewrite *rw, struct fate *fates, const bool *movable, const bool *leaves, unsigned n)
{
	bool enough = false;
	for (uint32_t k = 0; k < rw->ps->program->instrs.n; k++) {
		rw->movable[k] = movable[k];
		rw->kept[k] = false;
		enough |= leaves[k] && n == 0;
		n -= leaves[k] && n > 0;
		if (movable[k] && enough)
			keep_in_ps(rw, fates, k, MOVE_BUDGET_MOVES, UINT32_MAX);
	}
	settle(rw, fates);
}

static unsigned ps_slots_left(const struct rewrite *rw)
{
	unsigned slots = 0;
	for (uint32_t k = 0; k < rw->ps_out.n; k++)
		slots += instr_slots(&rw->ps_out.at[k], rw->ps->program->model);
	return slots;
}

/* Makes the fewest moves, in order of execution, that bring the FP down to options->ps_slots, or all that are allowed if no number does.
 * Returns the fates of the instructions. */
static struct fate *settle_with_fewest_moves(struct rewrite *rw, const struct fate *found)
{
	uint32_t const n = rw->ps->program->instrs.n;
	const bool *movable = (void *)arena_copy(rw->arena, rw->movable, n);
	bool *leaves = arena_zero(rw->arena, n);
	size_t const size = n * sizeof *found;
	struct fate *fates = arena_alloc(rw->arena, size);
	unsigned limit = 0;
	rw->brings = true;
	bundle_find(rw);
	for (uint32_t k = 0; k < n; k++)
		limit += leaves[k] = !rw->stays[k];
	if (limit > rw->options->max_moves)
		limit = rw->options->max_moves;
	for (unsigned first = rw->options->ps_slots ? 0 : limit; first <= limit; first++) {
		memcpy(fates, found, size);
		settle_first(rw, fates, movable, leaves, first);
		if (ps_slots_left(rw) <= rw->options->ps_slots)
			break;
	}
	return fates;
}

static const bool *find_readers_of_movable(struct arena *arena, const struct flow *ps, const bool *movable)
{
	bool *reads = arena_zero(arena, ps->program->instrs.n);
	for (uint32_t k = 0; k < ps->program->instrs.n; k++)
		for (uint32_t r = ps->first[k]; r < ps->first[k + 1] && !reads[k]; r++)
			reads[k] = ps->read[r].def < FLOW_INPUT && movable[ps->read[r].def];
	return reads;
}

/* Returns a result with the pair as it is. */
static struct move_result *move_none(struct arena *arena, const struct program *vs, const struct program *ps, struct fate *fates)
{
	struct move_result *result = arena_zero(arena, sizeof *result);
	*result = (struct move_result){.vs = program_copy(arena, vs), .ps = program_copy(arena, ps), .fates = fates};
	return result;
}

struct move_result *move_paper(struct arena *arena, const struct program *vs, const struct program *ps,
                               const struct move_options *options)
{
	uint32_t n = ps->instrs.n;
	struct flow *vs_flow = flow_find(arena, vs), *ps_flow = flow_find(arena, ps);
	struct paper_conditions found = paper_find_conditions(arena, vs_flow, ps_flow, options);
	bool any = false;
	for (uint32_t k = 0; k < n; k++)
		any |= found.fates[k].verdict == MOVE_MOVED;
	if (!any)
		return move_none(arena, vs, ps, found.fates);
	struct rewrite rw = {
		.arena = arena,
		.vs = vs_flow,
		.ps = ps_flow,
		.options = options,
		.values = (const struct paper_value(*)[LANES])found.values,
		.movable = arena_zero(arena, n),
		.kept = arena_zero(arena, n),
		.ties = ties_find(arena, ps, values_number_apart(arena, vs, ps, found.numbers)),
		.moves = arena_zero(arena, n),
		.stays = arena_zero(arena, n),
		.why = arena_zero(arena, n),
		.because = arena_zero(arena, n * sizeof *rw.because),
		.brought = arena_zero(arena, n),
		.readers = arena_zero(arena, n),
		.sends = arena_zero(arena, n * sizeof *rw.sends),
		.mark = arena_zero(arena, n * sizeof *rw.mark),
		.bundle_of = arena_zero(arena, n * sizeof *rw.bundle_of),
		.vp.copies = arena_zero(arena, vs->instrs.n),
	};
	for (uint32_t k = 0; k < n; k++)
		rw.movable[k] = found.fates[k].verdict == MOVE_MOVED;
	rw.reads_movable = find_readers_of_movable(arena, ps_flow, rw.movable);
	struct fate *fates = found.fates;
	if (options->ps_slots || options->max_moves < n)
		fates = settle_with_fewest_moves(&rw, found.fates);
	else
		settle(&rw, fates);

	bool const pays = ps_slots_left(&rw) < program_total_slots(ps);
	unsigned moved = 0;
	for (uint32_t k = 0; k < n; k++) {
		if (rw.movable[k] && rw.stays[k])
			keep_in_ps(&rw, fates, k, (enum verdict)rw.why[k], rw.because[k]);
		if (rw.stays[k])
			continue;
		moved += pays;
		if (!pays)
			keep_in_ps(&rw, fates, k, MOVE_COST, UINT32_MAX);
		else
			fates[k].moved = instr_writes(&ps->instrs.at[k]);
		EACH_LANE(lane, pays ? rw.brought[k] : 0u)
			fates[k].lane[lane] = MOVE_REMADE;
	}
	if (!moved)
		return move_none(arena, vs, ps, fates);
	struct move_result *result = arena_zero(arena, sizeof *result);
	*result = (struct move_result){.vs = rewrite_vs(&rw), .ps = rewrite_ps(&rw), .fates = fates, .moved = moved};
	history_note(arena, result->vs, "method of -O1");
	history_note(arena, result->ps, "method of -O1");
	result->consts.at = rw.vp.consts.at;
	result->consts.n = result->consts.cap = rw.vp.consts.n;
	return result;
}
