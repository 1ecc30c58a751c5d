/* -O1: the method of Ikeda, Ino and Hagihara (2005), literally: C1-C4 say what
 * may move, M1-M4 how, and while a budget is exceeded or a staying reader
 * objects, the latest move in execution order is given up. */
#include "move/paper/paper.h"

#include "lang/history.h"
#include "move/graph/values.h"

#include <string.h>

static void keep(struct rewrite *rw, struct fate *fates, uint32_t k, enum verdict why, uint32_t because)
{
	rw->moves[k] = false;
	fates[k].verdict = (uint8_t)why;
	fates[k].because = because;
	EACH_LANE(lane, instr_writes(&rw->ps->program->instrs.at[k]))
		fates[k].lane[lane] = (uint8_t)why;
}

/* C4 for what had been found movable: nothing moves that reads what now stays. */
static void keep_dependents(struct rewrite *rw, struct fate *fates)
{
	for (uint32_t k = 0; k < rw->ps->program->instrs.n; k++) {
		for (uint32_t r = rw->ps->first[k]; rw->moves[k] && r < rw->ps->first[k + 1]; r++) {
			uint32_t def = rw->ps->read[r].def;
			if (def < FLOW_INPUT && !rw->moves[def] && !is_planted(rw->options, PLANT_C4))
				keep(rw, fates, k, MOVE_DEPENDS, def);
		}
	}
}

/* An _abs is an instruction by itself, which takes no slot: moved without its reader it would save nothing. */
static void keep_modifiers(struct rewrite *rw, struct fate *fates)
{
	for (uint32_t k = rw->ps->program->instrs.n; k-- > 0;) {
		for (uint32_t r = rw->ps->first[k]; !rw->moves[k] && r < rw->ps->first[k + 1]; r++) {
			uint32_t const def = rw->ps->read[r].def;
			if (def < FLOW_INPUT && rw->moves[def] && instr_is_modifier(&rw->ps->program->instrs.at[def]))
				keep(rw, fates, def, MOVE_WITH_READER, k);
		}
	}
}

static uint32_t latest_move(const struct rewrite *rw)
{
	uint32_t k = rw->ps->program->instrs.n;
	while (k > 0 && !rw->moves[k - 1])
		k--;
	return k - 1; /* UINT32_MAX: none */
}

static unsigned count_moves(const struct rewrite *rw)
{
	unsigned n = 0;
	for (uint32_t k = 0; k < rw->ps->program->instrs.n; k++)
		n += rw->moves[k];
	return n;
}

/* Gives up moves until the rest can be made; with `readers_only`, until no staying reader
 * objects.  Each turn gives up one at least, and without moves nothing fails. */
static void settle(struct rewrite *rw, struct fate *fates, bool readers_only)
{
	for (;;) {
		keep_modifiers(rw, fates);
		bool done = bundle_find(rw) && (readers_only || (allot_registers(rw) && rewrite_instrs(rw)));
		uint32_t drop = rw->drop == UINT32_MAX ? latest_move(rw) : rw->drop;
		if (done || drop == UINT32_MAX)
			return;
		keep(rw, fates, drop, (enum verdict)rw->failed, rw->because);
		keep_dependents(rw, fates);
	}
}

/* Keeps the first `n` moves of `all`. */
static void settle_first(struct rewrite *rw, struct fate *fates, const bool *all, unsigned n)
{
	for (uint32_t k = 0; k < rw->ps->program->instrs.n; k++) {
		rw->moves[k] = all[k];
		if (all[k] && n-- == 0) {
			n = 0;
			keep(rw, fates, k, MOVE_BUDGET_MOVES, UINT32_MAX);
		}
	}
	settle(rw, fates, false);
}

static unsigned ps_slots_left(const struct rewrite *rw)
{
	unsigned slots = 0;
	for (uint32_t k = 0; k < rw->ps_out.n; k++)
		slots += instr_slots(&rw->ps_out.at[k], rw->ps->program->model);
	return slots;
}

struct move_result *move_paper(struct arena *arena, const struct program *vs, const struct program *ps,
                               const struct move_options *options)
{
	uint32_t n = ps->instrs.n;
	struct flow *vs_flow = flow_find(arena, vs), *ps_flow = flow_find(arena, ps);
	struct paper_conditions found = paper_find_conditions(arena, vs_flow, ps_flow, options);
	struct rewrite rw = {
		.arena = arena,
		.vs = vs_flow,
		.ps = ps_flow,
		.options = options,
		.values = (const struct paper_value(*)[LANES])found.values,
		.moves = arena_zero(arena, n),
		.ties = ties_find(arena, ps, values_number_apart(arena, vs, ps)),
		.bundle_of = arena_zero(arena, n * sizeof *rw.bundle_of),
		.copies = arena_zero(arena, vs->instrs.n),
	};
	for (uint32_t k = 0; k < n; k++)
		rw.moves[k] = found.fates[k].verdict == MOVE_MOVED;
	settle(&rw, found.fates, true);

	bool *all = (void *)arena_copy(arena, rw.moves, n);
	struct fate *fates = NULL;
	size_t const size = n * sizeof *fates;
	unsigned limit = count_moves(&rw);
	if (limit > options->max_moves)
		limit = options->max_moves;
	/* The shortest row of moves that is enough, or all of them. */
	fates = arena_alloc(arena, size);
	for (unsigned first = options->ps_slots ? 0 : limit; first <= limit; first++) {
		if (n)
			memcpy(fates, found.fates, size);
		settle_first(&rw, fates, all, first);
		if (ps_slots_left(&rw) <= options->ps_slots)
			break;
	}

	struct move_result *result = arena_zero(arena, sizeof *result);
	result->fates = fates;
	result->moved = count_moves(&rw);
	for (uint32_t k = 0; k < n; k++)
		if (rw.moves[k])
			fates[k].moved = instr_writes(&ps->instrs.at[k]);
	if (!result->moved) {
		result->vs = program_copy(arena, vs);
		result->ps = program_copy(arena, ps);
		return result;
	}
	result->vs = rewrite_vs(&rw);
	result->ps = rewrite_ps(&rw);
	history_note(arena, result->vs, "method of -O1");
	history_note(arena, result->ps, "method of -O1");
	result->consts.at = rw.consts.at;
	result->consts.n = result->consts.cap = rw.consts.n;
	return result;
}
