/* Writes the FPs in other ways, see variants.h.  requires: checked programs, values; builds: programs to be planned. */
#include "move/variants.h"

#include "base/profile.h"
#include "lang/history.h"
#include "move/graph/flow.h"

#include <string.h>

/* ---- matrix products ------------------------------------------------------------------------ */

static bool is_matrix_by_registers(const struct instr *i)
{
	return ops[i->op].shape == SHAPE_MATRIX && i->src[1].file != REG_CONST;
}

/* Writes a matrix product as dot products, one for each row of the matrix.  If the destination is a row, the dot product that reads this row
 * comes first, before the others overwrite it. */
static void write_dot_products(struct arena *arena, const struct instr *old, uint32_t at, struct program *new)
{
	unsigned const row = (unsigned)(old->dst.index - old->src[1].index);
	unsigned const first = old->src[1].file == old->dst.file && row < LANES ? row : LANE_X;
	struct comment *comments = old->comments;
	bool blank = old->blank;
	for (unsigned n = 0; n < LANES; n++) {
		unsigned const lane = (first + n) % LANES;
		if (!(instr_writes(old) >> lane & 1))
			continue;
		struct instr *i = &VEC_PUSH(arena, &new->instrs);
		*i = matrix_row(old, lane);
		i->at = at;
		i->comments = comments;
		i->blank = blank;
		comments = NULL;
		blank = false;
	}
}

/* Returns a copy of the FP in which dot products replace the matrix products whose rows are t# or r#, since no values are found for these.
 * Returns NULL if there are none. */
static struct program *with_dot_products(const struct variant_of *of)
{
	const struct program *ps = of->ps;
	struct program *new = program_head(of->arena, ps);
	bool any = false;
	for (uint32_t k = 0; k < ps->instrs.n; k++) {
		const struct instr *i = &ps->instrs.at[k];
		if (is_matrix_by_registers(i)) {
			any = true;
			write_dot_products(of->arena, i, k, new);
		} else {
			VEC_PUSH(of->arena, &new->instrs) = *i;
			new->instrs.at[new->instrs.n - 1].at = k;
		}
	}
	return any ? new : NULL;
}

/* Gives each new instruction only the comments of the old one that it stands for, so that they vanish with it if a plan removes it. */
static void keep_own_comments(struct program *new, const struct program *old)
{
	for (uint32_t k = 0; k < new->instrs.n; k++) {
		struct instr *i = &new->instrs.at[k];
		bool const first = i->at < old->instrs.n && (k == 0 || new->instrs.at[k - 1].at != i->at);
		i->comments = first ? old->instrs.at[i->at].comments : NULL;
	}
	new->tail = old->tail;
}

struct program *variant_settled(const struct variant_of *of)
{
	struct program *spelt = with_dot_products(of), *new = spelt ? spelt : program_numbered(of->arena, of->ps);
	if (!tidy_settle(of->arena, new))
		return spelt;
	keep_own_comments(new, of->ps);
	return new;
}

/* Joins instructions that a compiler wrote lane by lane, so that all lanes are regrouped in the same way. */
struct program *variant_join_lanes(const struct variant_of *of)
{
	struct program *new = program_numbered(of->arena, of->ps);
	return tidy_program(of->arena, new, NULL, NULL) ? new : NULL;
}

/* ---- the group's programs ------------------------------------------------------------------- */

/* Returns true if one of the ways found so far has the same FPs as all[]. */
static bool has_same_way(const struct group *g, const struct ways *w, const struct program *const *all)
{
	bool known = false;
	for (unsigned n = 0; n < w->n && !known; n++) {
		known = true;
		for (unsigned k = 0; k < g->nps; k++)
			known &= program_same(w->way[n][k], all[k]);
	}
	return known;
}

static variant_writer *const writers[VARIANTS] = {
#define RULE(function, name, tag, level, varying, what)
#define VARIANT(id, function, name, tag, what) [id] = variant_##function,
#include "move/rules/rules.def"
};

/* Returns the group's FPs as variant `how` writes those of `from`, or `from` itself if nothing changes.  `v` has the values of `from`, or is
 * NULL if the variant needs none. */
static const struct program *const *rewrite_all_fps(struct arena *arena, const struct group *g, const struct program *const *from,
                                              struct values *v, enum variant how)
{
	const struct program **all = arena_alloc(arena, g->nps * sizeof *all);
	bool any = false;
	for (unsigned k = 0; k < g->nps; k++) {
		profile_begin(g->options->profile, variants[how].name);
		if (v)
			values_turn(v, k);
		struct program *new = writers[how](&(struct variant_of){.arena = arena, .group = g, .ps = from[k], .values = v});
		if (new) {
			history_note(arena, new, variants[how].name);
			profile_change(g->options->profile, program_total_slots(from[k]), program_total_slots(new));
		}
		profile_end(g->options->profile);
		if (new && from[k] != g->ps[k])
			program_trace(new, from[k]);
		any |= new != NULL;
		all[k] = new ? new : from[k];
	}
	return any ? all : from;
}

static void add_way(const struct group *g, const struct program *const *all, struct ways *w)
{
	if (!has_same_way(g, w, all))
		w->way[w->n++] = all;
}

struct values *ways_values(struct ways *w, const struct group *g, struct arena *arena, unsigned k)
{
	if (!w->values[k])
		w->values[k] = values_number_all(arena, g->vs, g->nvs, w->way[k], g->nps, g->options);
	return w->values[k];
}

/* Adds two ways to write the FPs: those of `from` with lanes joined, and the result of that regrouped. */
static void add_joined(struct arena *arena, const struct group *g, const struct program *const *from, struct ways *w)
{
	const struct program *const *joined = rewrite_all_fps(arena, g, from, NULL, VARIANT_JOIN);
	add_way(g, joined, w);
	add_way(g, rewrite_all_fps(arena, g, joined, NULL, VARIANT_REGROUP_ALL), w);
}

void ways_find(struct values *given, const struct group *g, struct ways *w)
{
	struct arena *arena = given->arena;
	const struct move_options *o = g->options;
	const struct program *const *now = rewrite_all_fps(arena, g, g->ps, NULL, VARIANT_SETTLED);
	*w = (struct ways){.way = {now}, .values = {now == g->ps ? given : NULL}, .n = 1};
	for (enum variant how = VARIANT_SCALES; how <= VARIANT_GATHER; how++) {
		now = rewrite_all_fps(arena, g, w->way[w->n - 1], ways_values(w, g, arena, w->n - 1), how);
		add_way(g, now, w);
	}
	now = w->way[w->n - 1];
	w->joined_from = w->n;
	if (o->level >= 3)
		add_joined(arena, g, w->way[0], w);
	if (o->level >= 3 && now != w->way[0])
		add_joined(arena, g, now, w);
	values_turn(given, 0);
}
