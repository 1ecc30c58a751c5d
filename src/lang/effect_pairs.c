/* Finds the pairs of an effect file: by its passes, or by the order of its programs, see effect_find_pairs(). */
#include "lang/effect_text.h"
#include "lang/foreign.h"

#include <stdlib.h>

/* Returns true if the block holds a program of this stage that fpmove can read. */
static bool is_program_of(const struct effect *e, int block, enum stage stage)
{
	const struct effect_block *b = &e->blocks.at[block];
	return b->live && b->model != MODEL_COUNT && models[b->model].stage == stage;
}

/* Returns true if preprocessor conditions leave out the vertex or pixel program of the pass. */
static bool has_dead_program(const struct effect *e, const struct effect_pass *pass)
{
	return (pass->vs >= 0 && !e->blocks.at[pass->vs].live) || (pass->ps >= 0 && !e->blocks.at[pass->ps].live);
}

static bool has_preshader(const struct effect *e, int block)
{
	return !e->compiled && effect_has_preshader(&e->blocks.at[block].source);
}

/* Returns the reason why the programs of a pass must stay as they are, judged by this pass alone, or "" if there is none.  Returns NULL if they
 * stay without a note: the pass has no programs in assembly or bytecode, or conditions leave one out. */
static const char *reason_to_stay(struct arena *arena, const struct effect *e, const struct effect_pass *pass)
{
	if ((pass->vs == EFFECT_NONE && pass->ps == EFFECT_NONE) || has_dead_program(e, pass))
		return NULL;
	if (pass->unclear)
		return "preprocessor lines or macros in it may choose its programs";
	if (e->compiled && (pass->vs == EFFECT_UNCLEAR || pass->ps == EFFECT_UNCLEAR))
		return pass->vs == EFFECT_UNCLEAR ? "it may take one of several vertex programs" : "it may take one of several pixel programs";
	if (pass->vs == EFFECT_UNCLEAR || pass->ps == EFFECT_UNCLEAR)
		return pass->vs == EFFECT_UNCLEAR ? "the assignment of its vertex program is not understood"
		                                  : "the assignment of its pixel program is not understood";
	if (pass->vs == EFFECT_NONE || pass->ps == EFFECT_NONE)
		return arena_printf(arena, "it has no %s program%s", pass->vs == EFFECT_NONE ? "vertex" : "pixel", e->compiled ? "" : " in assembly");
	if (!is_program_of(e, pass->vs, STAGE_VERTEX))
		return has_preshader(e, pass->vs) ? "its vertex program has a preshader, which is not read"
		                                  : "its vertex program is of a model that is not read here";
	if (!is_program_of(e, pass->ps, STAGE_PIXEL))
		return has_preshader(e, pass->ps) ? "its pixel program has a preshader, which is not read"
		                                  : "its pixel program is of a model that is not read here";
	const char *const vs_stays = e->blocks.at[pass->vs].stays, *const ps_stays = e->blocks.at[pass->ps].stays;
	if (vs_stays || ps_stays)
		return arena_printf(arena, "its %s program must stay, since %s", vs_stays ? "vertex" : "pixel", vs_stays ? vs_stays : ps_stays);
	return "";
}

enum { MANY = -3 };

/* The use of a block in passes. */
struct use {
	int partner;                    /* index of the only block with which the block is drawn; EFFECT_NONE if there is none, MANY if there are
	                                 * several */
	bool stays;                     /* the block is a pixel program that must stay, since a group without it rewrites its vertex program */
	const struct effect_pass *kept; /* the pass for which the block must stay as it is, or NULL if there is none */
};

struct pairing {
	struct arena *arena;
	struct effect *e;
	struct use *uses;  /* the use of each block, by its index */
	const char **why;  /* for each pass: the reason why it is no pair, "" or NULL, see reason_to_stay() */
};

static void add_partner(struct use *use, int partner)
{
	use->partner = use->partner == EFFECT_NONE || use->partner == partner ? partner : MANY;
}

/* Sets `partner` of each block.  Passes that conditions leave out count, too, since other definitions may bring them back. */
static void find_partners(struct pairing *p)
{
	for (uint32_t k = 0; k < p->e->passes.n; k++) {
		const struct effect_pass *pass = &p->e->passes.at[k];
		if (pass->vs >= 0 && pass->ps >= 0) {
			add_partner(&p->uses[pass->vs], pass->ps);
			add_partner(&p->uses[pass->ps], pass->vs);
		}
	}
}

/* Sets `kept` of a block to the pass, unless another pass is set.  Returns true if it was not set before. */
static bool keep_for_pass(struct use *use, const struct effect_pass *because)
{
	bool const new = !use->kept;
	use->kept = new ? because : use->kept;
	return new;
}

/* Sets `why` of each pass, and `kept` of the programs that must stay: those of passes that stay, and all that are drawn with a kept program. */
static void find_kept_blocks(struct pairing *p)
{
	for (uint32_t k = 0; k < p->e->passes.n; k++) {
		const struct effect_pass *pass = &p->e->passes.at[k];
		p->why[k] = reason_to_stay(p->arena, p->e, pass);
		bool const stays = !p->why[k] || *p->why[k];
		if (stays && pass->vs >= 0)
			keep_for_pass(&p->uses[pass->vs], pass);
		if (stays && pass->ps >= 0)
			keep_for_pass(&p->uses[pass->ps], pass);
	}
	for (bool more = true; more;) {
		more = false;
		for (uint32_t k = 0; k < p->e->passes.n; k++) {
			const struct effect_pass *pass = &p->e->passes.at[k];
			struct use *vs = pass->vs >= 0 ? &p->uses[pass->vs] : NULL, *ps = pass->ps >= 0 ? &p->uses[pass->ps] : NULL;
			if (vs && ps && (vs->kept || ps->kept))
				more |= keep_for_pass(vs, ps->kept) || keep_for_pass(ps, vs->kept);
		}
	}
}

/* Adds to the group, as `staying`, the pairs of its vertex programs with pixel programs outside of the group, and sets `stays` of the latter. */
static void add_staying(struct pairing *p, struct effect_group *group)
{
	struct effect *e = p->e;
	for (uint32_t k = 0; k < e->passes.n; k++) {
		const struct effect_pass *pass = &e->passes.at[k];
		bool changes = false, known = false;
		for (uint32_t j = group->first; j < e->pairs.n && pass->vs >= 0 && pass->ps >= 0; j++) {
			changes |= j < group->first + group->n && e->pairs.at[j].vs == pass->vs;
			known |= e->pairs.at[j].vs == pass->vs && e->pairs.at[j].ps == pass->ps;
		}
		if (!changes || known)
			continue;
		p->uses[pass->ps].stays = true;
		VEC_PUSH(p->arena, &e->pairs) = (struct effect_pair){pass->vs, pass->ps, pass};
		group->staying++;
	}
}

/* Adds the group of pairs that share a program with pass k: its pixel program, if that is drawn with several vertex programs, or else its vertex
 * program, but without pixel programs that are drawn with several vertex programs.  Sets `paired` of the programs of the pairs. */
static void add_group(struct pairing *p, uint32_t k, bool *paired)
{
	struct effect *e = p->e;
	const struct effect_pass *first = &e->passes.at[k];
	bool const same_ps = p->uses[first->ps].partner == MANY;
	struct effect_group group = {e->pairs.n, 0, 0};
	for (uint32_t j = k; j < e->passes.n; j++) {
		const struct effect_pass *pass = &e->passes.at[j];
		int const other = same_ps ? pass->vs : pass->ps;
		if (other < 0 || paired[other] || (same_ps ? pass->ps != first->ps : pass->vs != first->vs) ||
		    (!same_ps && p->uses[pass->ps].partner == MANY))
			continue;
		paired[pass->vs] = paired[pass->ps] = true;
		VEC_PUSH(p->arena, &e->pairs) = (struct effect_pair){pass->vs, pass->ps, pass};
		group.n++;
	}
	add_staying(p, &group);
	VEC_PUSH(p->arena, &e->groups) = group;
}

/* Returns true if the pixel program may be rewritten for all of its vertex programs: `stays` is not set, and none of these is drawn with a second
 * pixel program, or, if `paired` is given, none of these is in a pair yet. */
static bool owns_vertex_programs(const struct pairing *p, int ps, const bool *paired)
{
	bool alone = !p->uses[ps].stays;
	for (uint32_t k = 0; k < p->e->passes.n; k++) {
		const struct effect_pass *pass = &p->e->passes.at[k];
		if (pass->ps == ps && pass->vs >= 0)
			alone &= paired ? !paired[pass->vs] : p->uses[pass->vs].partner != MANY;
	}
	return alone;
}

/* Pairs the blocks of a file without passes: first with second, third with fourth.  Returns false, without pairs, if the file has no blocks or an
 * odd number, or if two such neighbours are not a vertex and a pixel program. */
static bool pair_neighbours(struct arena *arena, struct effect *e)
{
	for (uint32_t k = 0; k + 1 < e->blocks.n; k += 2) {
		int first = (int)k, second = first + 1;
		bool vertex_first = is_program_of(e, first, STAGE_VERTEX) && is_program_of(e, second, STAGE_PIXEL);
		if (!vertex_first && !(is_program_of(e, first, STAGE_PIXEL) && is_program_of(e, second, STAGE_VERTEX))) {
			e->pairs.n = 0;
			return false;
		}
		VEC_PUSH(arena, &e->pairs) = vertex_first ? (struct effect_pair){first, second, NULL}
		                                          : (struct effect_pair){second, first, NULL};
	}
	if (e->blocks.n % 2)
		e->pairs.n = 0;
	for (uint32_t k = 0; k < e->pairs.n; k++)
		VEC_PUSH(arena, &e->groups) = (struct effect_group){k, 1, 0};
	return e->pairs.n > 0;
}

/* Removes the groups with a program that must stay, and adds a note for each. */
static void drop_stuck_groups(struct effect *e, const char *with, struct diags *diags)
{
	uint32_t kept = 0, groups = 0;
	for (uint32_t g = 0; g < e->groups.n; g++) {
		struct effect_group const group = e->groups.at[g];
		const struct effect_block *stuck = NULL;
		for (uint32_t k = group.first; k < group.first + group.n && !stuck; k++) {
			const struct effect_block *vs = &e->blocks.at[e->pairs.at[k].vs], *ps = &e->blocks.at[e->pairs.at[k].ps];
			stuck = vs->stays ? vs : ps->stays ? ps : NULL;
		}
		if (stuck) {
			diag_add(diags, DIAG_NOTE, "effect", e->file, stuck->at, "this program and %s stay as they are: %s", with, stuck->stays);
			continue;
		}
		e->groups.at[groups++] = (struct effect_group){kept, group.n, 0};
		for (uint32_t k = group.first; k < group.first + group.n; k++)
			e->pairs.at[kept++] = e->pairs.at[k];
	}
	e->pairs.n = kept;
	e->groups.n = groups;
}

/* ---- programs that macros hide ---------------------------------------------------------------- */

/* Returns true if a version token such as vs_2_0 stands at `at` in a literal, and a backslash, as of \n, follows.  (A literal that is only the
 * name of a profile ends behind the name.) */
static bool begins_with_version(const char *at, const char *end)
{
	return end - at > 6 && at[6] == '\\' && (at[0] == 'v' || at[0] == 'p') && at[1] == 's' && (at[2] == '_' || at[2] == '.') &&
	       at[3] >= '1' && at[3] <= '3' && (at[4] == '_' || at[4] == '.');
}

/* Returns the end of the line at `at`, or of the last line that backslashes join to it. */
static const char *joined_line_end(const char *at, const char *end)
{
	bool continued = false;
	for (; at < end && (*at != '\n' || continued); at++)
		continued = *at == '\\' || (continued && *at == '\r');
	return at;
}

static bool holds_block(const struct effect *e, size_t from, size_t to)
{
	bool any = false;
	for (uint32_t k = 0; k < e->blocks.n; k++)
		any |= e->blocks.at[k].at >= from && e->blocks.at[k].at < to;
	return any;
}

/* Returns the offset of a preprocessor line, such as a #define, in which a program begins that is not a block, or SRCPOS_NONE if there is none.
 * Each use of the macro may be that program, so the order of the blocks does not tell the pairs. */
static srcpos hidden_program(const struct effect *e)
{
	const char *const text = e->file->text, *const end = text + e->file->size;
	for (const char *line = text; line < end;) {
		const char *at = line;
		while (at < end && (*at == ' ' || *at == '\t'))
			at++;
		const char *const to = joined_line_end(at, end);
		bool version = false;
		for (const char *c = at; at < end && *at == '#' && c < to; c++)
			version |= begins_with_version(c, to);
		if (version && !holds_block(e, (size_t)(at - text), (size_t)(to - text)))
			return (srcpos)(at - text);
		line = to + 1;
	}
	return SRCPOS_NONE;
}

/* ---- programs in literals, by their order ----------------------------------------------------- */

enum { OLDEST = 1, NEWEST = 3 }; /* major versions of models, as 3 of ps_3_0 */

/* Programs of one stage and one major version of model, in the order of the file. */
struct side {
	VEC(int);
	bool unread; /* one of them is of a model that fpmove does not read */
};

/* Fills `sides` with the programs of each stage and major version of model.  Engines keep an array of vertex programs and one of pixel programs,
 * or several arrays with a program for each model. */
static void find_sides(struct arena *arena, const struct effect *e, struct side sides[NEWEST + 1][2])
{
	for (uint32_t k = 0; k < e->blocks.n; k++) {
		enum stage stage;
		unsigned const version = effect_version(&e->blocks.at[k].source, &stage);
		if (version < OLDEST || version > NEWEST)
			continue;
		struct side *side = &sides[version][stage];
		VEC_PUSH(arena, side) = (int)k;
		side->unread |= !is_program_of(e, (int)k, stage);
	}
}

static int by_number(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

static bool have_different_models(const struct effect *e, const struct side *s)
{
	for (uint32_t k = 0; k < s->n; k++)
		for (uint32_t j = 0; j < k; j++)
			if (e->blocks.at[s->at[k]].model == e->blocks.at[s->at[j]].model)
				return false;
	return true;
}

static bool same_array(const struct effect *e, int a, int b)
{
	const struct effect_block *one = &e->blocks.at[a], *other = &e->blocks.at[b];
	return one->name && other->name && strcmp(one->name, other->name) == 0 && one->element != other->element;
}

/* Returns true if the only vertex program of model 2 replaces the only one of model 1: both are elements of an array with a program for each
 * model, and each is drawn with all pixel programs of its model.  Returns false if the pixel programs are all of different models, since their
 * order then tells the pairs. */
static bool replaces_oldest(const struct effect *e, const struct side *oldest, const struct side *vs, const struct side *ps)
{
	return oldest->n == 1 && vs->n == 1 && same_array(e, oldest->at[0], vs->at[0]) && !have_different_models(e, ps);
}

/* Moves the vertex programs of model 1 to the side of model 2 if there are no pixel programs of model 1, as they are then drawn with pixel
 * programs of model 2.  Leaves them if replaces_oldest() returns true. */
static void join_oldest(struct arena *arena, const struct effect *e, struct side sides[NEWEST + 1][2])
{
	struct side *from = &sides[OLDEST][STAGE_VERTEX], *to = &sides[OLDEST + 1][STAGE_VERTEX];
	if (sides[OLDEST][STAGE_PIXEL].n || !from->n || replaces_oldest(e, from, to, &sides[OLDEST + 1][STAGE_PIXEL]))
		return;
	for (uint32_t k = 0; k < from->n; k++)
		VEC_PUSH(arena, to) = from->at[k];
	to->unread |= from->unread;
	from->n = 0;
	qsort(to->at, to->n, sizeof *to->at, by_number);
}

/* Returns the reason why the programs of a major version of model cannot be paired, or NULL if they can. */
static const char *unpaired(struct arena *arena, const struct side *vs, const struct side *ps)
{
	if (vs->unread || ps->unread)
		return "one of them is of a model that is not read here";
	if (!vs->n || !ps->n)
		return arena_printf(arena, "there is no %s program of these models", vs->n ? "pixel" : "vertex");
	return vs->n != ps->n && vs->n > 1 && ps->n > 1 ? "which of them go together is not known" : NULL;
}

/* Pairs the k-th vertex program with the k-th pixel program, or the single program of one stage with all of the other.  Adds a note for each. */
static void pair_sides(struct arena *arena, struct effect *e, unsigned version, const struct side *vs, const struct side *ps, struct diags *diags)
{
	uint32_t const n = vs->n > ps->n ? vs->n : ps->n;
	struct effect_group const all = {e->pairs.n, n, 0};
	for (uint32_t k = 0; k < n; k++) {
		struct effect_pair const pair = {vs->at[vs->n > 1 ? k : 0], ps->at[ps->n > 1 ? k : 0], NULL};
		unsigned const line = source_line(e->file, e->blocks.at[pair.vs].at);
		const char *why = vs->n > 1 && ps->n > 1 ? "by their order among those" : vs->n > 1 ? "as this is the only pixel program"
		                                                                                : "which is the only one";
		diag_add(diags, DIAG_NOTE, "effect", e->file, e->blocks.at[pair.ps].at,
		         "a pair with the vertex program of line %u, %s of models %u.x", line, why, version);
		VEC_PUSH(arena, &e->pairs) = pair;
		if (vs->n == ps->n)
			VEC_PUSH(arena, &e->groups) = (struct effect_group){e->pairs.n - 1, 1, 0};
	}
	if (vs->n != ps->n)
		VEC_PUSH(arena, &e->groups) = all;
}

/* Pairs literals by their order among the programs of the same major version of model.  Returns false if the file has asm blocks, or no pairs are
 * found.  Adds a note for each pair, and for each version that cannot be paired. */
static bool pair_by_order(struct arena *arena, struct effect *e, struct diags *diags)
{
	struct side sides[NEWEST + 1][2] = {{{0}}};
	for (uint32_t k = 0; k < e->blocks.n; k++)
		if (e->blocks.at[k].kind == EFFECT_ASM)
			return false;
	find_sides(arena, e, sides);
	join_oldest(arena, e, sides);
	for (unsigned version = OLDEST; version <= NEWEST; version++) {
		const struct side *vs = &sides[version][STAGE_VERTEX], *ps = &sides[version][STAGE_PIXEL];
		const char *why = vs->n || ps->n ? unpaired(arena, vs, ps) : "";
		if (!why)
			pair_sides(arena, e, version, vs, ps, diags);
		else if (*why)
			diag_add(diags, DIAG_NOTE, "effect", e->file, e->blocks.at[vs->n ? vs->at[0] : ps->at[0]].at,
			         "programs of models %u.x stay as they are (%u vertex, %u pixel): %s", version, (unsigned)vs->n, (unsigned)ps->n, why);
	}
	return e->pairs.n > 0;
}

/* Gives each pass that assigns no program of a stage the program of the pass before it in its technique, as Direct3D keeps that.  Skips passes
 * with programs that conditions leave out, since such passes may be alternatives to each other. */
static void inherit_programs(struct effect *e)
{
	const struct effect_pass *before = NULL;
	for (uint32_t k = 0; k < e->passes.n; k++) {
		struct effect_pass *pass = &e->passes.at[k];
		if (has_dead_program(e, pass))
			continue;
		bool const follows = before && pass->technique == before->technique;
		if (follows && !pass->sets[STAGE_VERTEX])
			pass->vs = before->vs;
		if (follows && !pass->sets[STAGE_PIXEL])
			pass->ps = before->ps;
		before = pass;
	}
}

/* Adds a note with the reason `why` the programs of a pass are no pair.  `lone` tells that its pixel program is planned alone. */
static void note_unpaired_pass(struct diags *diags, const struct effect *e, const struct effect_pass *pass, bool lone, const char *why)
{
	const char *how = lone ? "is planned without its vertex program" : "stays as it is";
	if (e->compiled)
		diag_add(diags, DIAG_NOTE, "effect", e->file, SRCPOS_NONE, "technique %s pass %s %s: %s", pass->technique, pass->name, how, why);
	else
		diag_add(diags, DIAG_NOTE, "effect", e->file, pass->at, "this pass %s: %s", how, why);
}

/* Returns a description of the pass for messages about other passes. */
static const char *pass_name(struct arena *arena, const struct effect *e, const struct effect_pass *pass)
{
	return e->compiled ? arena_printf(arena, "technique %s pass %s", pass->technique, pass->name)
	                   : arena_printf(arena, "the pass of line %u", (unsigned)source_line(e->file, pass->at));
}

/* Adds groups for passes whose vertex program and pixel program are both drawn with others, so that one new version of each could not serve all
 * pairs.  Takes them in the order of the file.  Each group has a pixel program and all of its vertex programs, if none of these is in a pair yet;
 * sets `why` of the other passes. */
static void pair_crossing(struct pairing *p, bool *paired)
{
	for (uint32_t k = 0; k < p->e->passes.n; k++) {
		const struct effect_pass *pass = &p->e->passes.at[k];
		if (!p->why[k] || *p->why[k] || p->uses[pass->vs].kept || paired[pass->ps])
			continue;
		if (owns_vertex_programs(p, pass->ps, paired))
			add_group(p, k, paired);
		else
			p->why[k] = paired[pass->vs] ? "its pixel program is drawn with other vertex programs, too, and its vertex program is rewritten only for others"
			                             : "its vertex program and its pixel program are both drawn with others, too";
	}
}

/* Adds each pixel program that is in no pair and may change, with the first pass that draws it, as a group without a vertex program.  Sets `lone`
 * of these programs. */
static void add_lone_programs(struct pairing *p, bool *lone)
{
	struct effect *e = p->e;
	bool *known = arena_zero(p->arena, (e->blocks.n + 1) * sizeof *known);
	for (uint32_t k = 0; k < e->pairs.n; k++)
		known[e->pairs.at[k].ps] = true;
	for (uint32_t b = 0; b < e->blocks.n; b++)
		lone[b] = !known[b] && is_program_of(e, (int)b, STAGE_PIXEL) && !e->blocks.at[b].stays;
	for (uint32_t k = 0; k < e->passes.n; k++) {
		const struct effect_pass *pass = &e->passes.at[k];
		if (pass->ps < 0 || known[pass->ps] || !lone[pass->ps] || has_dead_program(e, pass))
			continue;
		known[pass->ps] = true;
		VEC_PUSH(p->arena, &e->pairs) = (struct effect_pair){EFFECT_NONE, pass->ps, pass};
		VEC_PUSH(p->arena, &e->groups) = (struct effect_group){e->pairs.n - 1, 1, 0};
	}
}

/* Finds the pairs of passes, then the pixel programs that are planned alone.  Adds a note for each pass that is no pair, unless its `why` is NULL
 * or it assigns no programs. */
static void pair_passes(struct pairing *p, struct diags *diags)
{
	bool *lone = arena_zero(p->arena, (p->e->blocks.n + 1) * sizeof *lone);
	bool *paired = arena_zero(p->arena, (p->e->blocks.n + 1) * sizeof *paired);
	for (uint32_t k = 0; k < p->e->passes.n; k++) {
		const struct effect_pass *pass = &p->e->passes.at[k];
		const char *why = p->why[k];
		if (!why)
			continue;
		if (!*why && p->uses[pass->vs].kept)
			why = p->why[k] = arena_printf(p->arena, "one of its programs must stay for %s", pass_name(p->arena, p->e, p->uses[pass->vs].kept));
		bool const own = *why || p->uses[pass->ps].partner != MANY || owns_vertex_programs(p, pass->ps, NULL);
		if (!*why && own && !(paired[pass->vs] && paired[pass->ps]))
			add_group(p, k, paired);
	}
	pair_crossing(p, paired);
	add_lone_programs(p, lone);
	for (uint32_t k = 0; k < p->e->passes.n; k++) {
		const struct effect_pass *pass = &p->e->passes.at[k];
		bool const as_before = !pass->sets[STAGE_VERTEX] && !pass->sets[STAGE_PIXEL];
		if (p->why[k] && *p->why[k] && !as_before)
			note_unpaired_pass(diags, p->e, pass, pass->ps >= 0 && lone[pass->ps], p->why[k]);
	}
}

bool effect_find_pairs(struct arena *arena, struct effect *e, struct diags *diags)
{
	struct pairing p = {.arena = arena, .e = e, .uses = arena_zero(arena, (e->blocks.n + 1) * sizeof *p.uses),
	                    .why = arena_zero(arena, (e->passes.n + 1) * sizeof *p.why)};
	for (uint32_t k = 0; k < e->blocks.n; k++)
		p.uses[k].partner = EFFECT_NONE;
	inherit_programs(e);
	find_partners(&p);
	find_kept_blocks(&p);
	pair_passes(&p, diags);
	bool const by_place = e->passes.n == 0 && !e->compiled;
	srcpos const hidden = by_place ? hidden_program(e) : SRCPOS_NONE;
	if (hidden != SRCPOS_NONE) {
		diag_add(diags, DIAG_ERROR, "effect", e->file, hidden,
		         "a program begins in this macro, and its other lines are not known, so programs cannot be paired by their order");
		return false;
	}
	bool const neighbours = by_place && pair_neighbours(arena, e);
	bool const ordered = by_place && !neighbours && pair_by_order(arena, e, diags);
	if (neighbours || ordered)
		drop_stuck_groups(e, neighbours ? "its neighbour" : "what goes with it", diags);
	/* A file with passes, but without pairs, is copied: notes have told why its programs stay. */
	if (neighbours || ordered || (e->passes.n && e->blocks.n))
		return true;
	if (!e->compiled && e->blocks.n == 0 && foreign_tell_of_effect(e->file, diags))
		return false;
	diag_add(diags, DIAG_ERROR, "effect", e->file, SRCPOS_NONE, "%s",
	         e->compiled ? "no pass of this effect is drawn with shaders"
	         : e->blocks.n == 0 ? "no asm { } block or literal here that holds a program: HLSL is not read"
	                          : "without passes, programs must come as neighbours, a vertex and a pixel program each, or in literals "
	                            "as many of one stage as of the other for a model");
	return false;
}
