/* Plans runs that share a program together, see run_move_together() in pipeline.h. */
#include "steps.h"

#include "around.h"
#include "lang/bytecode.h"
#include "lang/link.h"
#include "lang/needs.h"

#include <string.h>

/* Returns the tables of constants of n FPs with which one VP is drawn.  With `adds_table`, a VP without a table will get one.  Sets `apart` to
 * the FP constants that do not have the same name and type in all FPs: copies of these get no name. */
static const struct constant_types *types_of(struct arena *a, const struct program *const *ps, uint32_t n, bool adds_table)
{
	struct constant_types *types = arena_zero(a, sizeof *types);
	types->adds_table = adds_table;
	for (uint32_t k = 0; k < n; k++)
		if (ps[k]->source->bytecode && ps[k]->source->bytecode->table)
			VEC_PUSH(a, types) = ps[k]->source->bytecode->table;
	types->apart = by_name_apart(ps, n);
	return types;
}

enum { REGISTERS = 256 };

/* Returns true if renaming each constant c to to[c] would change the number of a matrix row that the program reads; rows must follow each other. */
static bool reads_rows(const struct program *p, const int16_t to[REGISTERS])
{
	bool any = false;
	for (uint32_t k = 0; k < p->instrs.n; k++)
		for (unsigned s = 0; s < ops[p->instrs.at[k].op].sources; s++) {
			const struct src *src = &p->instrs.at[k].src[s];
			unsigned const rows = src->file == REG_CONST && !src->relative ? instr_rows(&p->instrs.at[k], s) : 0;
			for (unsigned row = 0; rows > 1 && row < rows; row++)
				any |= to[(src->index + (int)row) & (REGISTERS - 1)] != src->index + (int)row;
		}
	return any;
}

static void rename_constants(struct program *p, const int16_t to[REGISTERS])
{
	for (uint32_t k = 0; k < p->instrs.n; k++)
		for (unsigned s = 0; s < ops[p->instrs.at[k].op].sources; s++) {
			struct src *src = &p->instrs.at[k].src[s];
			if (src->file == REG_CONST && !src->relative)
				src->index = to[src->index & (REGISTERS - 1)];
		}
}

/* If the plan gave the shared VP several registers with copies of one FP constant, one for each FP, renames them to the first.  Changes nothing
 * if that would change the number of a matrix row. */
static void join_copies(struct move_result *const *moved, uint32_t n)
{
	int first[REGISTERS];
	int16_t to[REGISTERS];
	for (int c = 0; c < REGISTERS; c++) {
		first[c] = -1;
		to[c] = (int16_t)c;
	}
	for (uint32_t k = 0; k < n; k++)
		for (uint32_t j = 0; j < moved[k]->consts.n; j++) {
			const struct const_map *map = &moved[k]->consts.at[j];
			first[map->ps] = first[map->ps] < 0 ? map->vs : first[map->ps];
			to[map->vs] = (int16_t)first[map->ps];
		}
	for (uint32_t k = 0; k < n; k++)
		if (reads_rows(moved[k]->vs, to))
			return;
	for (uint32_t k = 0; k < n; k++) {
		rename_constants(moved[k]->vs, to);
		for (uint32_t j = 0; j < moved[k]->consts.n; j++)
			moved[k]->consts.at[j].vs = to[moved[k]->consts.at[j].vs];
	}
}

/* Withholds from the VP the FP constants that differ between FPs, and those whose name the VP's table already has, since that name may stand
 * for another register with other FPs. */
static void withhold_apart(struct run *r, const struct constant_types *types)
{
	struct register_set const twice = by_name_twice(r->vs, r->ps);
	for (int c = 0; c < models[r->ps->model].consts; c++)
		if (register_is_in(&types->apart, c) || register_is_in(&twice, c))
			register_put_in(&r->withheld, c);
}

/* Withholds from all VPs the FP constants that are withheld from one of them, since all VPs are drawn with one FP, which moves the same work to
 * each. */
static void withhold_for_all(struct run *const *runs, uint32_t n)
{
	struct register_set all = {{0}};
	for (uint32_t k = 0; k < n; k++)
		for (unsigned w = 0; w < sizeof all.word / sizeof *all.word; w++)
			all.word[w] |= runs[k]->withheld.word[w];
	for (uint32_t k = 0; k < n; k++)
		runs[k]->withheld = all;
}

static void keep_all(struct run *const *runs, uint32_t n, const char *why)
{
	for (uint32_t k = 0; k < n; k++) {
		runs[k]->moved = NULL;
		runs[k]->together = run_keep_given(runs[k]);
		runs[k]->stays = why;
	}
}

/* Keeps the given programs of all runs, with a note that the VPs are linked too differently for one text of the FP. */
static void keep_for_links(struct run *const *runs, uint32_t n)
{
	diag_add(&runs[0]->diags, DIAG_NOTE, "link", runs[0]->ps->source, runs[0]->ps->at,
	         "nothing leaves it, nor reaches its %u vertex programs: what some of them have in one o#, others have in several", (unsigned)n);
	keep_all(runs, n, "what some of its vertex programs have in one o#, others have in several");
}

/* Plans the group in scratch memory, and copies the results out of it before it is freed.  The shared program of the results stays one object. */
static void move_group(struct arena *arena, const struct group *g, struct run *const *runs, struct move_result **moved)
{
	unsigned const n = group_pairs(g);
	struct move_result **planned = arena_alloc(arena, n * sizeof *planned);
	arena_begin_scratch(arena);
	move_together(arena, g, planned);
	if (g->nps > 1 && runs[0]->options->by_name)
		join_copies(planned, n);
	for (unsigned k = 0; k < n; k++)
		run_finish_programs(runs[k], planned[k]);
	arena_end_scratch(arena);
	for (unsigned k = 0; k < n; k++) {
		moved[k] = move_keep(arena, planned[k], runs[k]->ps->instrs.n);
		moved[k]->vs = k && planned[k]->vs == planned[0]->vs ? moved[0]->vs : moved[k]->vs;
		moved[k]->ps = k && planned[k]->ps == planned[0]->ps ? moved[0]->ps : moved[k]->ps;
	}
	arena_drop_scratch(arena);
}

struct together {
	struct group group;
	struct run *const *runs;
	uint32_t n;
	bool same_vs, flows;             /* `same_vs`: the runs share the VP, else the FP; `flows`: a program has flow control */
	const struct program **vs, **ps; /* the programs of each run that are planned */
	struct move_options *options;
	struct straight **straight;      /* with `flows`, the straight forms of each pair (around.h) */
	struct link_kept linked;
};

/* Finds the straight forms (around.h) of all pairs.  Returns false if a pair has none; marks it as leaving the group (`leaves`), or all pairs if
 * they share the FP. */
static bool straighten_all(struct together *t, struct arena *a)
{
	uint32_t leaving = 0;
	t->straight = arena_alloc(a, t->n * sizeof *t->straight);
	for (uint32_t k = 0; k < t->n; k++) {
		const char *why;
		t->straight[k] = around_straighten(a, (struct pair){t->vs[k], t->ps[k]}, t->runs[k]->options->move.level > 1, &why);
		t->runs[k]->stays = t->straight[k] ? t->runs[k]->stays : why;
		t->runs[k]->leaves = !t->straight[k];
		leaving += !t->straight[k];
	}
	for (uint32_t k = 0; leaving && !t->same_vs && k < t->n; k++)
		t->runs[k]->leaves = true;
	return leaving == 0;
}

/* Prepares the group: links all runs' programs alike, finds the straight forms, and sets the options, with the lowest level of all runs.  Returns
 * false if the group cannot be planned now, since all runs stay as they are or some have to leave. */
static bool join(struct together *t, struct arena *a)
{
	bool const moves = t->runs[0]->options->move.level > 0;
	const char *stays = NULL;
	int least = t->runs[0]->options->move.level;
	for (uint32_t k = 0; k < t->n; k++) {
		t->vs[k] = t->runs[k]->vs;
		t->ps[k] = t->runs[k]->ps;
		stays = stays ? stays : run_why_it_stays(t->runs[k]);
		run_tell_level(t->runs[k]);
		t->flows |= moves && (program_flows(t->vs[k]) || program_flows(t->ps[k]));
	}
	if (stays) {
		keep_all(t->runs, t->n, stays);
		return false;
	}
	if (!t->same_vs && moves && !link_group(a, t->vs, t->ps, t->n, &t->linked)) {
		keep_for_links(t->runs, t->n);
		return false;
	}
	if (t->flows && !straighten_all(t, a))
		return false;
	for (uint32_t k = 0; k < t->n; k++) {
		struct run *r = t->runs[k];
		r->vs = t->vs[k];
		r->ps = t->ps[k];
		t->options[k] = run_budgets(r);
		t->options[k].profile = t->runs[0]->profile;
		t->options[k].preshader &= !t->flows;
		least = t->options[k].level < least ? t->options[k].level : least;
	}
	for (uint32_t k = 0; k < t->n; k++)
		t->options[k].level = least;
	return true;
}

/* Withholds from the VPs of the group the FP constants that have no name with which all pairs could set them. */
static void withhold(struct together *t, struct arena *a)
{
	const struct constant_types *types = types_of(a, t->ps, t->same_vs ? t->n : 1, t->runs[0]->options->by_name);
	if (!t->same_vs)
		withhold_for_all(t->runs, t->n);
	for (uint32_t k = 0; k < t->n; k++) {
		struct run *r = t->runs[k];
		r->types = types;
		if (t->same_vs && r->options->by_name)
			withhold_apart(r, types);
		t->linked.taken |= r->linked.taken;
	}
}

/* Returns a copy of the VP that all pairs share, which must keep (`promised`) all outputs that any run's VP must keep. */
static const struct program *promising(const struct together *t, struct arena *a)
{
	struct program *vs = program_copy(a, t->runs[0]->vs);
	for (uint32_t k = 1; k < t->n; k++)
		vs->promised = outputs_read_by_both(&vs->promised, &t->runs[k]->vs->promised);
	return vs;
}

/* Sets `vs` and `ps` of the group to the runs' programs, marked for the planner: see run_marked() and run_with_alike(). */
static void mark(struct together *t, struct arena *a)
{
	for (uint32_t k = 0; k < t->n; k++)
		t->vs[k] = t->runs[k]->vs;
	if (t->same_vs && t->flows)
		t->vs[0] = promising(t, a);
	for (uint32_t k = 0; k < t->n; k++)
		t->ps[k] = run_marked(t->runs[k], t->vs, t->group.nvs, t->options->plain_textures);
	for (uint32_t k = 0; !t->same_vs && k < t->n; k++)
		t->vs[k] = t->runs[k]->alike.consts.n ? run_with_alike(t->runs[k]) : t->vs[k];
}

/* Plans the group once: the given programs, or with flow control their straight forms. */
static void plan_once(struct together *t, struct arena *a, struct move_result **moved)
{
	const struct program **given = arena_alloc(a, 2 * t->n * sizeof *given);
	for (uint32_t k = 0; k < t->n; k++) {
		struct run *r = t->runs[k];
		given[2 * k] = r->vs;
		given[2 * k + 1] = r->ps;
		struct pair const planned = t->flows ? around_planned(t->straight[k]) : (struct pair){r->vs, r->ps};
		r->vs = planned.vs;
		r->ps = planned.ps;
	}
	mark(t, a);
	move_group(a, &t->group, t->runs, moved);
	for (uint32_t k = 0; k < t->n; k++) {
		t->runs[k]->vs = given[2 * k];
		t->runs[k]->ps = given[2 * k + 1];
		t->runs[k]->linked = t->linked;
	}
}

/* Plans the group, and plans it again with fewer instructions hoisted out of blocks as long as that is needed.  Returns false if the blocks of a
 * run cannot be put back; the run is then marked `leaves`. */
static bool plan(struct together *t, struct arena *a, struct move_result **moved)
{
	for (unsigned round = 1;; round++) {
		bool again = false;
		plan_once(t, a, moved);
		if (!t->flows)
			return true;
		for (uint32_t k = 0; k < t->n; k++)
			again |= around_again(a, t->straight[k], moved[t->same_vs ? k : 0], round);
		if (again)
			continue;
		if (around_restore(t->runs, t->straight, moved, t->n, t->same_vs))
			return true;
		for (uint32_t k = 0; k < t->n; k++)
			again |= t->runs[k]->leaves && around_again(a, t->straight[k], NULL, round);
		if (!again)
			return false;
	}
}

void run_move_together(struct run *const *runs, uint32_t n, bool same_vs, struct allowance *allowance)
{
	struct arena *a = runs[0]->arena;
	struct together t = {.runs = runs, .n = n, .same_vs = same_vs};
	struct move_result **moved = arena_alloc(a, n * sizeof *moved);
	t.vs = arena_alloc(a, n * sizeof *t.vs);
	t.ps = arena_alloc(a, n * sizeof *t.ps);
	t.options = arena_alloc(a, n * sizeof *t.options);
	t.group = (struct group){t.vs, t.ps, same_vs ? 1 : n, same_vs ? n : 1, t.options, allowance};
	for (uint32_t k = 0; k < n; k++)
		runs[k]->leaves = false;
	if (!join(&t, a))
		return;
	bool const moves = t.options->level > 0;
	withhold(&t, a);
	if (moves && !plan(&t, a, moved))
		return;
	for (uint32_t k = 0; k < n; k++) {
		runs[k]->together = true;
		runs[k]->linked = t.linked;
		runs[k]->stays = NULL; /* clears the reason why an earlier plan failed, as one with more hoisted instructions may have */
		if (moves)
			run_take_moved(runs[k], moved[k]);
		else
			step_move(runs[k]);
	}
	/* If one run could not take its result, keeps all as given: the declarations of the shared program may be incomplete. */
	for (uint32_t k = 0; moves && k < n; k++)
		if (runs[k]->kept) {
			keep_all(runs, n, runs[k]->stays);
			return;
		}
	/* Makes the comments of the shared VP tell the constants that each of the pairs needs. */
	for (uint32_t k = 0; same_vs && moves && k < n; k++)
		for (uint32_t j = 0; j < n; j++)
			run_note_needs(a, moved[k]->vs, &runs[j]->needs);
}

/* Adds the inputs that an FP declares and does not read: the VP has to write them for the pair to link, if the FP stays as it is. */
static void add_declared(const struct program *ps, struct outputs_read *read)
{
	for (uint32_t k = 0; k < ps->decls.n; k++) {
		const struct decl *d = &ps->decls.at[k];
		lanes *of = d->kind != DECL_PIXEL_INPUT ? NULL
		            : d->reg.file == REG_TEXCOORD ? &read->texcoord[d->reg.index]
		            : d->reg.file == REG_INPUT    ? &read->colour[d->reg.index] : NULL;
		if (of && !(*of & d->reg.mask))
			*of |= d->reg.mask;
	}
}

void run_promise(struct run *r, const struct run *other)
{
	struct program *vs = program_copy(r->arena, r->vs);
	struct outputs_read read = outputs_read_by(other->ps);
	add_declared(other->ps, &read);
	vs->promised = outputs_read_by_both(&vs->promised, &read);
	r->vs = vs;
	needs_add(r->arena, &r->beside, &other->given, STAGE_VERTEX);
}
