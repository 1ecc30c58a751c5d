/* Moves pairs that share a program by the method of -O1.
 *
 * For a shared VP, the method moves from one FP after the other into it.  The method only adds instructions to a VP, and uses only outputs and
 * constants that are free there, so that it does not change what the VP does for the earlier FPs.  For a shared FP, the number of moves
 * is reduced until the new FP is the same with every VP. */
#include "lang/print.h"
#include "move/passes.h"

#include <limits.h>
#include <string.h>

enum { COLOURS = 2 };

/* Returns true if the VP `after` writes an output lane that `before` does not, and that `ps` reads. */
static bool disturbs(const struct program *before, const struct program *after, const struct program *ps)
{
	struct outputs_read const read = outputs_read_by(ps);
	for (uint32_t k = 0; k < after->instrs.n; k++) {
		const struct instr *i = &after->instrs.at[k];
		if (!instr_writes(i) || (i->dst.file != REG_TEX_OUT && i->dst.file != REG_COLOUR_OUT))
			continue;
		bool texcoord = i->dst.file == REG_TEX_OUT;
		if (i->dst.index >= (texcoord ? MOST_TEXCOORDS : COLOURS))
			continue;
		lanes new = instr_writes(i) & (texcoord ? read.texcoord : read.colour)[i->dst.index];
		for (uint32_t j = 0; j < before->instrs.n; j++) {
			const struct instr *old = &before->instrs.at[j];
			if (instr_writes(old) && old->dst.file == i->dst.file && old->dst.index == i->dst.index)
				new &= (lanes)~instr_writes(old);
		}
		if (new)
			return true;
	}
	return false;
}

/* Moves from one FP after the other, in this order, into their VP.  Returns the sum of the slots of the new FPs. */
static unsigned long move_in_order(struct arena *arena, const struct group *g, const unsigned *order, struct move_result **results)
{
	const struct program *vs = g->vs[0];
	unsigned long slots = 0;
	for (unsigned i = 0; i < g->nps; i++)
		results[i] = NULL;
	for (unsigned j = 0; j < g->nps; j++) {
		unsigned k = order[j];
		struct move_result *r = move_paper(arena, vs, g->ps[k], g->options);
		bool good = program_total_slots(r->ps) <= program_total_slots(g->ps[k]);
		for (unsigned i = 0; i < g->nps; i++)
			good &= i == k || !disturbs(vs, r->vs, results[i] ? results[i]->ps : g->ps[i]);
		if (!good) {
			struct move_options none = *g->options;
			none.max_moves = 0;
			r = move_paper(arena, vs, g->ps[k], &none);
		}
		results[k] = r;
		vs = r->vs;
		slots += program_total_slots(r->ps);
	}
	for (unsigned i = 0; i < g->nps; i++)
		results[i]->vs = results[order[g->nps - 1]]->vs;
	return slots;
}

/* Orders the FPs by the slots that they save for each additional interpolator, the most first. */
static void order_by_gain(struct arena *arena, const struct group *g, unsigned *order)
{
	double *gain = arena_zero(arena, g->nps * sizeof *gain);
	for (unsigned k = 0; k < g->nps; k++) {
		const struct move_result *r = move_paper(arena, g->vs[0], g->ps[k], g->options);
		struct outputs_read const before = outputs_read_by(g->ps[k]), after = outputs_read_by(r->ps);
		int saved = (int)program_total_slots(g->ps[k]) - (int)program_total_slots(r->ps), taken = 0;
		for (unsigned t = 0; t < MOST_TEXCOORDS; t++)
			taken += (after.texcoord[t] != 0) - (before.texcoord[t] != 0);
		gain[k] = saved / (double)(taken > 0 ? taken : 1);
		unsigned j = k;
		for (; j > 0 && gain[order[j - 1]] < gain[k]; j--)
			order[j] = order[j - 1];
		order[j] = k;
	}
}

static void share_vertex_program(struct arena *arena, const struct group *g, struct move_result **results)
{
	unsigned *given = arena_alloc(arena, g->nps * sizeof *given), *by_gain = arena_alloc(arena, g->nps * sizeof *by_gain);
	struct move_result **other = arena_alloc(arena, g->nps * sizeof *other);
	for (unsigned k = 0; k < g->nps; k++)
		given[k] = k;
	order_by_gain(arena, g, by_gain);
	if (move_in_order(arena, g, given, other) < move_in_order(arena, g, by_gain, results))
		memcpy(results, other, g->nps * sizeof *other);
}

static void share_pixel_program(struct arena *arena, const struct group *g, struct move_result **results)
{
	for (unsigned moves = UINT_MAX;;) {
		struct text first = {.arena = arena}, other = {.arena = arena};
		bool same = true;
		unsigned most = 0;
		for (unsigned v = 0; v < g->nvs; v++) {
			struct move_options o = g->options[v];
			o.max_moves = moves < o.max_moves ? moves : o.max_moves;
			results[v] = move_paper(arena, g->vs[v], g->ps[0], &o);
			other.n = 0;
			print_program(v ? &other : &first, results[v]->ps);
			same &= !v || (other.n == first.n && memcmp(other.at, first.at, first.n) == 0);
			most = results[v]->moved > most ? results[v]->moved : most;
		}
		if (same || most == 0 || moves == 0) /* `moved` may exceed a limit of 0: some instructions leave only if others stay */
			break;
		moves = (moves < most ? moves : most) - 1;
	}
	for (unsigned v = 1; v < g->nvs; v++)
		results[v]->ps = results[0]->ps;
}

void paper_together(struct arena *arena, const struct group *g, struct move_result **results)
{
	if (g->nps > 1)
		share_vertex_program(arena, g, results);
	else if (g->nvs == 1)
		results[0] = move_paper(arena, g->vs[0], g->ps[0], g->options);
	else
		share_pixel_program(arena, g, results);
}
