/* Joins and prints the comments about constants that the application has to set, see needs.h. */
#include "lang/needs.h"

#include "lang/device.h"
#include "lang/listing.h"
#include "lang/print.h"

#include <string.h>

bool needs_sets(const struct needs *n, enum stage stage, int index)
{
	for (uint32_t k = 0; k < n->consts.n; k++)
		if (stage == STAGE_VERTEX && n->consts.at[k].vs == index)
			return true;
	for (uint32_t k = 0; k < n->folds.n; k++)
		if (n->folds.at[k].preset && n->folds.at[k].stage == stage && n->folds.at[k].index == index)
			return true;
	return false;
}

/* Returns the FP constants that copies and presets are computed from. */
static struct register_set sources_of_needs(const struct needs *n)
{
	struct register_set set = {{0}};
	for (uint32_t k = 0; k < n->consts.n; k++)
		register_put_in(&set, n->consts.at[k].ps);
	for (uint32_t k = 0; k < n->folds.n; k++)
		for (int c = 0; n->folds.at[k].preset && c < NEEDS_CONSTS; c++)
			if (program_reads_from_outside(n->folds.at[k].expr, c))
				register_put_in(&set, c);
	return set;
}

/* Returns the FP constants whose values the application does not choose: constants with a def, presets, and numbers beyond the model's
 * registers. */
static struct register_set made_constants(const struct program *ps)
{
	struct register_set set = {{0}};
	for (int c = 0; c < MOST_CONSTS; c++)
		if (c >= models[ps->model].consts || program_decl(ps, REG_CONST, c) || needs_sets(&ps->needs, STAGE_PIXEL, c))
			register_put_in(&set, c);
	return set;
}

static bool registers_meet(const struct register_set *a, const struct register_set *b)
{
	return a->word[0] & b->word[0] || a->word[1] & b->word[1] || a->word[2] & b->word[2] || a->word[3] & b->word[3];
}

/* Drops needs of the program that are computed from constants in `made`, whose values the application does not choose.  Adds a warning if it
 * drops any. */
static void drop_unsound_needs(struct program *p, const struct register_set *made, struct diags *d)
{
	struct needs *n = &p->needs;
	uint32_t kept = 0, before = n->consts.n + n->folds.n;
	for (uint32_t k = 0; k < n->consts.n; k++)
		if (!register_is_in(made, n->consts.at[k].ps))
			n->consts.at[kept++] = n->consts.at[k];
	n->consts.n = kept;
	kept = 0;
	for (uint32_t k = 0; k < n->folds.n; k++) {
		struct needs one = {.folds = {&n->folds.at[k], 1, 1}};
		struct register_set const sources = sources_of_needs(&one);
		if (!registers_meet(made, &sources))
			n->folds.at[kept++] = n->folds.at[k];
	}
	n->folds.n = kept;
	if (n->consts.n + n->folds.n < before)
		diag_add(d, DIAG_WARNING, "stale-comment", p->source, p->at,
		         "comments of an earlier run are left out: the pixel constants that they name are not set by the application");
}

void needs_of_pair(struct arena *a, struct program *vs, struct program *ps, struct diags *d, struct needs *all)
{
	struct register_set const made = made_constants(ps);
	drop_unsound_needs(vs, &made, d);
	drop_unsound_needs(ps, &made, d);
	needs_add(a, all, &ps->needs, STAGE_PIXEL);
	needs_add(a, all, &vs->needs, STAGE_VERTEX);
	vs->reserved = listing_registers(vs);
	for (unsigned k = 0; k < sizeof vs->reserved.word / sizeof *vs->reserved.word; k++)
		vs->reserved.word[k] |= vs->needs.own.word[k];
	for (uint32_t k = 0; k < all->consts.n; k++)
		register_put_in(&vs->reserved, all->consts.at[k].vs);
	ps->reserved = sources_of_needs(all);
	for (unsigned k = 0; k < sizeof ps->reserved.word / sizeof *ps->reserved.word; k++)
		ps->reserved.word[k] |= ps->needs.own.word[k];
}

/* Returns how many constants a program's c[a0.x + n] may read: as many as every device has or, if the old or the new program names a higher
 * constant, as many as the model has. */
static int constants_reached(const struct program *old, const struct program *new)
{
	static const struct device any;
	int const least = (int)device_consts(&any, old->model), most = models[old->model].consts;
	struct register_set const named[2] = {program_reads_all(old, REG_CONST, true), program_reads_all(new, REG_CONST, true)};
	bool beyond = false;
	for (int c = least; c < most; c++)
		beyond |= register_is_in(&named[0], c) || register_is_in(&named[1], c);
	return beyond ? most : least;
}

void needs_keep_own(struct program *new, const struct program *old, const struct needs *all)
{
	enum stage const stage = program_stage(new);
	struct register_set const sources = stage == STAGE_PIXEL ? sources_of_needs(all) : (struct register_set){{0}};
	struct register_set const before = program_reads_all(old, REG_CONST, false), after = program_reads_all(new, REG_CONST, false);
	int const reached = constants_reached(old, new);
	for (int c = 0; c < reached; c++) {
		bool own = register_is_in(&before, c) && !program_decl(old, REG_CONST, c) && !needs_sets(&old->needs, stage, c);
		bool named = register_is_in(&after, c) || register_is_in(&sources, c);
		if ((own && !named) || register_is_in(&old->needs.own, c))
			register_put_in(&new->needs.own, c);
	}
}

/* ---- joining ---------------------------------------------------------------------------- */

static bool same_folded_lane(const struct folded *x, const struct folded *y)
{
	return x->stage == y->stage && x->index == y->index && x->lane == y->lane && x->preset == y->preset;
}

void needs_add(struct arena *a, struct needs *to, const struct needs *from, enum stage stage)
{
	for (uint32_t k = 0; stage == STAGE_VERTEX && k < from->consts.n; k++) {
		struct const_map const c = from->consts.at[k];
		uint32_t at = 0;
		while (at < to->consts.n && to->consts.at[at].vs < c.vs)
			at++;
		if (at < to->consts.n && to->consts.at[at].vs == c.vs)
			continue;
		VEC_PUSH(a, &to->consts) = c;
		memmove(&to->consts.at[at + 1], &to->consts.at[at], (to->consts.n - 1 - at) * sizeof c);
		to->consts.at[at] = c;
	}
	for (uint32_t k = 0; k < from->folds.n; k++) {
		bool there = from->folds.at[k].stage != stage;
		for (uint32_t j = 0; j < to->folds.n; j++)
			there |= same_folded_lane(&to->folds.at[j], &from->folds.at[k]);
		if (!there)
			VEC_PUSH(a, &to->folds) = from->folds.at[k];
	}
}

/* Returns the first preset of FP constant c`index`, or NULL if there is none.  Sets *lanes_set to the number of its presets, one for each lane,
 * which are consecutive in the list. */
static const struct folded *presets_of_constant(const struct needs *n, int index, unsigned *lanes_set)
{
	const struct folded *first = NULL;
	*lanes_set = 0;
	for (uint32_t k = 0; k < n->folds.n; k++) {
		const struct folded *f = &n->folds.at[k];
		if (!f->preset || f->stage != STAGE_PIXEL || f->index != index)
			continue;
		first = first ? first : f;
		++*lanes_set;
	}
	return first;
}

static int last_temp(const struct program *p)
{
	int last = 0;
	for (uint32_t k = 0; k < p->instrs.n; k++)
		last = p->instrs.at[k].dst.index > last ? p->instrs.at[k].dst.index : last;
	return last;
}

static int last_literal(const struct program *p)
{
	int last = NEEDS_CONSTS - 1;
	for (uint32_t k = 0; k < p->decls.n; k++)
		last = p->decls.at[k].reg.index > last ? p->decls.at[k].reg.index : last;
	return last;
}

/* Appends the statements of the expression `from` to `to`, with `literals` added to register numbers of its defs and `temps` to those of its
 * temporaries.  Reads of FP constant c become reads of temporary now[c], unless that is 0. */
static void append_expression(struct arena *a, struct program *to, const struct program *from, int literals, int temps,
                   const int now[NEEDS_CONSTS])
{
	for (uint32_t k = 0; k < from->decls.n; k++) {
		struct decl d = from->decls.at[k];
		d.reg.index = (int16_t)(d.reg.index + literals);
		VEC_PUSH(a, &to->decls) = d;
	}
	for (uint32_t k = 0; k < from->instrs.n; k++) {
		struct instr i = from->instrs.at[k];
		i.dst.index = (int16_t)(i.dst.index + temps);
		EACH_SOURCE(s, &i) {
			struct src *src = &i.src[s];
			if (src->file == REG_TEMP) {
				src->index = (int16_t)(src->index + temps);
			} else if (program_decl(from, REG_CONST, src->index)) {
				src->index = (int16_t)(src->index + literals);
			} else if (now[src->index]) {
				src->file = REG_TEMP;
				src->index = (int16_t)now[src->index];
			}
		}
		VEC_PUSH(a, &to->instrs) = i;
	}
}

/* Returns an expression that computes the same as `expr`, but computes each preset of `given` that `expr` reads by itself, at its beginning, so
 * that it reads only constants that the application sets.  Returns `expr` if it reads no presets, NULL if registers do not suffice. */
static const struct program *unfold_presets(struct arena *a, const struct program *expr, const struct needs *given)
{
	enum { MOST_LITERALS = 224 };
	int now[NEEDS_CONSTS] = {0}, none[NEEDS_CONSTS] = {0}, temps = last_temp(expr) + 1, literals = last_literal(expr) + 1 - NEEDS_CONSTS;
	bool whole = true;
	struct program *p = arena_zero(a, sizeof *p);
	p->model = expr->model;
	for (int c = 0; c < NEEDS_CONSTS; c++) {
		unsigned n;
		const struct folded *f = program_reads_from_outside(expr, c) ? presets_of_constant(given, c, &n) : NULL;
		if (!f)
			continue;
		append_expression(a, p, f->expr, literals, temps, none);
		now[c] = temps + f->temp;
		temps += last_temp(f->expr) + 1;
		literals += last_literal(f->expr) + 1 - NEEDS_CONSTS;
		whole = false;
	}
	append_expression(a, p, expr, 0, 0, now);
	return whole ? expr : temps > NEEDS_TEMPS || literals > MOST_LITERALS ? NULL : p;
}

/* Adds presets of VP constant c`vs` with the expressions of the n presets `from`, in place of a copy of their constant. */
static void copy_preset(struct arena *a, const struct folded *from, unsigned n, int vs, struct needs *to)
{
	for (unsigned k = 0; k < n; k++) {
		struct folded f = from[k];
		f.stage = STAGE_VERTEX;
		f.index = vs;
		VEC_PUSH(a, &to->folds) = f;
	}
}

/* Drops copies and presets of constants that the new pair does not read, or has a def for.  Keeps all lanes of defs. */
static void drop_unread_needs(const struct program *vs, const struct program *ps, struct needs *n)
{
	uint32_t kept = 0;
	for (uint32_t k = 0; k < n->consts.n; k++)
		if (program_reads_from_outside(vs, n->consts.at[k].vs))
			n->consts.at[kept++] = n->consts.at[k];
	n->consts.n = kept;
	kept = 0;
	for (uint32_t k = 0; k < n->folds.n; k++) {
		const struct folded *f = &n->folds.at[k];
		if (!f->preset || program_reads_from_outside(f->stage == STAGE_VERTEX ? vs : ps, f->index))
			n->folds.at[kept++] = *f;
	}
	n->folds.n = kept;
}

bool needs_join(struct arena *a, const struct needs *given, const struct needs *added, const struct program *vs,
                const struct program *ps, struct needs *all)
{
	struct needs new = {0};
	const struct program *expr = NULL, *unfolded = NULL;
	for (uint32_t k = 0; k < added->consts.n; k++) {
		struct const_map const c = added->consts.at[k];
		unsigned n;
		const struct folded *f = presets_of_constant(given, c.ps, &n);
		if (f)
			copy_preset(a, f, n, c.vs, &new);
		else
			VEC_PUSH(a, &new.consts) = c;
	}
	for (uint32_t k = 0; k < added->folds.n; k++) {
		struct folded f = added->folds.at[k];
		if (f.preset && f.expr != expr)
			unfolded = unfold_presets(a, f.expr, given);
		expr = f.expr;
		if (f.preset && !unfolded)
			return false;
		f.expr = f.preset ? unfolded : expr;
		VEC_PUSH(a, &new.folds) = f;
	}
	*all = (struct needs){0};
	static const enum stage order[] = {STAGE_PIXEL, STAGE_VERTEX};
	for (unsigned k = 0; k < 2; k++) {
		needs_add(a, all, given, order[k]);
		needs_add(a, all, &new, order[k]);
	}
	drop_unread_needs(vs, ps, all);
	return true;
}

/* ---- printing --------------------------------------------------------------------------- */

static void print_constant(struct text *t, int index)
{
	text_string(t, NEEDS_MARK);
	text_char(t, 'c');
	text_unsigned(t, (unsigned long)index);
}

static void print_expression(struct text *t, const struct program *p)
{
	for (uint32_t k = 0; k < p->decls.n; k++) {
		print_decl(t, p, &p->decls.at[k]);
		text_string(t, "; ");
	}
	for (uint32_t k = 0; k < p->instrs.n; k++) {
		text_string(t, k ? "; " : "");
		print_instr(t, p, &p->instrs.at[k]);
	}
}

void needs_print(struct text *t, const struct needs *n)
{
	for (int c = 0; c < 256; c += n->own.word[c / 64] ? 1 : 64)
		if (register_is_in(&n->own, c)) {
			print_constant(t, c);
			text_string(t, NEEDS_OWN);
			text_char(t, '\n');
		}
	for (uint32_t k = 0; k < n->consts.n; k++) {
		const struct const_map *map = &n->consts.at[k];
		print_constant(t, map->vs);
		text_string(t, " = ps c");
		text_unsigned(t, (unsigned long)map->ps);
		if (map->name)
			text_printf(t, " (%s)", map->name);
		text_char(t, '\n');
	}
	for (uint32_t k = 0, past; k < n->folds.n; k = past) {
		const struct folded *f = &n->folds.at[k];
		lanes of = 0;
		for (past = k; past < n->folds.n && n->folds.at[past].stage == f->stage && n->folds.at[past].index == f->index; past++)
			of |= (lanes)(1u << n->folds.at[past].lane);
		print_constant(t, f->index);
		text_char(t, '.');
		print_lanes(t, of);
		text_string(t, " = ");
		print_expression(t, f->expr);
		text_char(t, '\n');
	}
}

struct needs needs_named(struct arena *a, const struct needs *n, bool by_name)
{
	struct needs some = {0};
	for (uint32_t k = 0; k < n->consts.n; k++)
		if (n->consts.at[k].by_name == by_name)
			VEC_PUSH(a, &some.consts) = n->consts.at[k];
	if (!by_name)
		some.folds = n->folds;
	return some;
}
