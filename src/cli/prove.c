/* --prove: proves two pairs of files equal. */
#include "cli/files.h"
#include "cli/fit.h"
#include "cli/message.h"
#include "cli/modes.h"
#include "cli/pairs.h"
#include "cli/report.h"
#include "cli/show.h"
#include "lang/listing.h"
#include "lang/needs.h"
#include "lang/print.h"

#include <stdlib.h>
#include <string.h>

/* The argument of --constants-map that stands for the comments in the second pair that say which constants the application sets. */
#define MAP_COMMENTS "comments"

/* Reads and checks the programs of pair `first` (0 or 1) of the command line, and prints their diagnostics.  Sets `*given` to the constants that
 * the application sets for the pair, as comments in the programs say.  Returns false and sets `*status`, the exit status, if there are errors. */
static bool read_proof_pair(struct arena *a, const struct options *o, uint32_t first, struct pair *pair, struct needs *given,
                      int *status)
{
	struct run r;
	struct source *sources = arena_zero(a, 2 * sizeof *sources);
	uint32_t const n = o->files.n / 2;
	run_init(&r, a, sources, n, &o->run);
	for (uint32_t i = 0; i < n; i++) {
		const char *why;
		if (!input_read(a, o->files.at[first * n + i], o, &sources[i], &r.diags, &why)) {
			*status = message_usage("%s", why);
			return false;
		}
	}
	for (unsigned i = 0; !r.diags.errors && i < STEP_MOVE; i++)
		pipeline[i].run(&r);
	if (!r.diags.errors)
		run_check_device(&r);
	struct text t = {.arena = a};
	message_diags(&t, &r.diags, o->colour_err, o->quiet);
	say(&t);
	*status = EXIT_REJECTED;
	*pair = (struct pair){r.vs, r.ps};
	*given = r.given;
	return r.diags.errors == 0;
}

/* Adds to the needs the constants of a report's list, each of which is computed from others by an expression in assembly.  `preset` is true if
 * the application computes them.  Returns false if an entry cannot be read. */
static bool read_computed(struct arena *a, json_t *list, bool preset, struct needs *needs)
{
	for (size_t i = 0; i < json_array_size(list); i++) {
		json_t *entry = json_array_get(list, i), *vs = json_object_get(entry, "vs"), *ps = json_object_get(entry, "ps");
		const char *code = json_string_value(json_object_get(entry, "code"));
		const char *of = json_string_value(json_object_get(entry, "lanes"));
		if (!code || !of || !json_is_integer(vs ? vs : ps))
			return false;
		json_int_t index = json_integer_value(vs ? vs : ps);
		struct source *source = arena_zero(a, sizeof *source);
		*source = (struct source){.name = "code", .text = arena_copy(a, code, strlen(code)), .size = strlen(code)};
		struct diags said;
		diag_init(&said, a);
		struct program_list expr = parse_programs(a, source, &said);
		if (said.errors || expr.n != 1 || index < 0 || index > INT16_MAX)
			return false;
		for (unsigned lane = 0; lane < LANES; lane++)
			if (strchr(of, "xyzw"[lane]))
				VEC_PUSH(a, &needs->folds) =
					(struct folded){vs ? STAGE_VERTEX : STAGE_PIXEL, (int)index, lane, expr.at[0], 0, lane, preset};
	}
	return true;
}

static bool is_program_file(struct arena *a, json_t *program, const char *name)
{
	json_t *wanted = report_name(a, shown_name(name));
	bool same = json_equal(json_object_get(program, "file"), wanted);
	json_decref(wanted);
	return same;
}

/* Returns the pair of a report that is of these two files, or its only pair, whatever its files; NULL if there is none. */
static json_t *find_pair(struct arena *a, json_t *pairs, const char *const files[2])
{
	if (json_array_size(pairs) == 1)
		return json_array_get(pairs, 0);
	for (size_t i = 0; i < json_array_size(pairs); i++) {
		json_t *pair = json_array_get(pairs, i), *vs = json_object_get(pair, "vs"), *ps = json_object_get(pair, "ps");
		for (unsigned k = 0; k < 2; k++)
			if (is_program_file(a, vs, files[k]) && is_program_file(a, ps, files[1 - k]))
				return pair;
	}
	return NULL;
}

/* Reads the report of --constants-map: adds to `needs` the constants that the application sets for the report's pair of `files`, or for its only
 * pair.  Returns false after a message on standard error if that fails. */
static bool read_constants_map(struct arena *a, const char *path, const char *const files[2], struct needs *needs)
{
	struct source s;
	const char *why;
	if (!file_read_any(a, path, &s, &why))
		return message_error("%s", why);
	json_error_t error;
	json_t *report = json_loadb(s.text, s.size, 0, &error);
	json_t *pairs = json_object_get(report, "pairs"), *pair = find_pair(a, pairs, files);
	json_t *list = json_object_get(pair, "constants");
	why = NULL;
	if (!report)
		why = arena_printf(a, "this is no report of fpmove: %s", error.text);
	else if (json_array_size(pairs) > 1 && !pair)
		why = arena_printf(a, "none of its %u pairs is of %s and %s", (unsigned)json_array_size(pairs), shown_name(files[0]),
		                   shown_name(files[1]));
	else if (!json_is_array(list))
		why = "this is no report of fpmove: it has no pair with constants";
	else if (!read_computed(a, json_object_get(pair, "preshader"), true, needs) ||
	         !read_computed(a, json_object_get(pair, "folded"), false, needs))
		why = "it has expressions that cannot be read";
	for (size_t i = 0; !why && i < json_array_size(list); i++) {
		json_t *entry = json_array_get(list, i);
		const char *name = json_string_value(json_object_get(entry, "name"));
		size_t const length = name ? strlen(name) : 0;
		bool const named = length && listing_name_length(name, name + length) == length;
		VEC_PUSH(a, &needs->consts) = (struct const_map){.vs = (int)json_integer_value(json_object_get(entry, "vs")),
		                                                 .ps = (int)json_integer_value(json_object_get(entry, "ps")),
		                                                 .name = named ? arena_copy(a, name, length + 1) : NULL};
	}
	json_decref(report);
	if (why)
		message_error("%s: %s", shown_name(path), why);
	return !why;
}

static void print_culprit(struct text *t, const char *which, const struct pair *pair, enum stage stage, uint32_t k)
{
	const struct program *p = stage == STAGE_VERTEX ? pair->vs : pair->ps;
	text_printf(t, "  %s: ", which);
	if (k >= p->instrs.n) {
		text_string(t, "nothing writes it\n");
		return;
	}
	const struct instr *i = &p->instrs.at[k];
	struct place place = source_place(p->source, i->at);
	const char *name = shown_name(place.file);
	text_visible(t, name, strlen(name));
	text_printf(t, ":%u: ", (unsigned)place.line);
	print_instr(t, p, i);
	text_char(t, '\n');
}

/* Two pairs to be proven equal, and what the proof may assume. */
struct proving {
	struct arena *a;
	struct pair old, new;
	struct needs given;       /* constants that the application sets, as comments in the old pair say */
	struct needs said;        /* constants that the application sets, as comments in the new pair say */
	struct needs map;         /* constants that the application sets, as the report of --constants-map says */
	struct proof_context context;
};

static struct proof prove_with(struct proving *p, const struct needs *needs)
{
	struct proof_context c = p->context;
	c.given = &p->given;
	c.consts = needs->consts.at;
	c.nconsts = needs->consts.n;
	c.folds = needs->folds.at;
	c.nfolds = needs->folds.n;
	return prove(p->a, p->old, p->new, &c);
}

static void print_difference(struct text *t, const struct proving *p, const struct proof *proof)
{
	text_printf(t, "differs: %s\n", proof->why ? proof->why : "");
	if (proof->old_instr == UINT32_MAX && proof->new_instr == UINT32_MAX)
		return;
	print_culprit(t, "first pair", &p->old, proof->stage, proof->old_instr);
	print_culprit(t, "second pair", &p->new, proof->stage, proof->new_instr);
}

/* Returns a def (a constant with literal values) of the new pair whose values no def of the old pair has, or NULL if there is none. */
static const struct decl *new_literal(const struct proving *p)
{
	const struct program *const old[2] = {p->old.vs, p->old.ps}, *const new[2] = {p->new.vs, p->new.ps};
	for (unsigned s = 0; s < 2; s++)
		for (uint32_t k = 0; k < new[s]->decls.n; k++) {
			const struct decl *d = &new[s]->decls.at[k];
			bool there = d->kind != DECL_DEF;
			for (unsigned o = 0; o < 2; o++)
				for (uint32_t j = 0; j < old[o]->decls.n; j++)
					there |= old[o]->decls.at[j].kind == DECL_DEF &&
					         memcmp(old[o]->decls.at[j].value, d->value, sizeof d->value) == 0;
			if (!there)
				return d;
		}
	return NULL;
}

static bool sets_register(const struct needs *n, enum stage stage, int index)
{
	bool found = false;
	for (uint32_t k = 0; k < n->consts.n; k++)
		found |= stage == STAGE_VERTEX && n->consts.at[k].vs == index;
	for (uint32_t k = 0; k < n->folds.n; k++)
		found |= n->folds.at[k].stage == stage && n->folds.at[k].index == index;
	return found;
}

/* Returns the constants that the new pair's program of that stage reads and nothing sets: it has no def for them, `needs` do not set them, and
 * the old program of the stage does not read them as constants of the application. */
static struct register_set unset_constants(const struct proving *p, enum stage stage, const struct needs *needs)
{
	const struct program *old = stage == STAGE_VERTEX ? p->old.vs : p->old.ps, *new = stage == STAGE_VERTEX ? p->new.vs : p->new.ps;
	struct register_set const before = program_reads_all(old, REG_CONST, false), now = program_reads_all(new, REG_CONST, true);
	struct register_set unset = {{0}};
	for (int c = 0; c < MOST_CONSTS; c++) {
		bool const set = (register_is_in(&before, c) && !program_decl(old, REG_CONST, c)) || program_decl(new, REG_CONST, c);
		if (register_is_in(&now, c) && !set && !sets_register(needs, stage, c))
			register_put_in(&unset, c);
	}
	return unset;
}

/* The most combinations that guess_constants() tries. */
enum { MOST_GUESSES = 2000 };

/* Tries all ways to set each VP constant in `unset` to the value of an FP constant of the old pair, besides the constants that `needs` sets,
 * until the proof succeeds; `*found` then sets them.  Returns false if no way makes the pairs equal, or if there are too many ways. */
static bool guess_constants(struct proving *p, const struct register_set *unset, const struct needs *needs, struct needs *found)
{
	struct register_set const read = program_reads_all(p->old.ps, REG_CONST, true);
	int from[MOST_CONSTS];
	uint32_t nfrom = 0, guesses = 1;
	*found = *needs;
	found->consts.at = NULL;
	found->consts.n = found->consts.cap = 0;
	for (int c = 0; c < MOST_CONSTS; c++)
		if (register_is_in(&read, c) && !program_decl(p->old.ps, REG_CONST, c))
			from[nfrom++] = c;
	for (int c = 0; c < MOST_CONSTS; c++) {
		if (!register_is_in(unset, c))
			continue;
		VEC_PUSH(p->a, &found->consts) = (struct const_map){.vs = c};
		guesses = guesses <= MOST_GUESSES ? guesses * nfrom : guesses;
	}
	uint32_t const n = found->consts.n;
	for (uint32_t k = 0; k < needs->consts.n; k++)
		VEC_PUSH(p->a, &found->consts) = needs->consts.at[k];
	if (!n || guesses > MOST_GUESSES)
		return false;
	for (uint32_t guess = 0; guess < guesses; guess++) {
		for (uint32_t k = 0, rest = guess; k < n; k++, rest /= nfrom)
			found->consts.at[k].ps = from[rest % nfrom];
		if (prove_with(p, found).equal)
			return true;
	}
	return false;
}

static int by_register(const void *a, const void *b)
{
	const struct const_map *x = a, *y = b;
	return x->vs - y->vs;
}

static void print_registers(struct text *t, const char *stage, const struct register_set *set)
{
	const char *before = t->n ? ", " : "";
	for (int c = 0; c < MOST_CONSTS; c++)
		if (register_is_in(set, c)) {
			text_printf(t, "%s%s c%d", before, stage, c);
			before = ", ";
		}
}

/* Explains a difference between the pairs by constants: prints values that the application could set constants to so that the pairs are equal,
 * or else the constants that the new pair reads and nothing sets.  Returns false if there are neither. */
static bool print_unset(struct text *t, struct proving *p, const struct needs *needs)
{
	static const struct needs nothing = {.consts = {.n = 0}};
	struct needs found;
	struct register_set unset = unset_constants(p, STAGE_VERTEX, needs), ps = unset_constants(p, STAGE_PIXEL, needs);
	struct register_set const all = unset_constants(p, STAGE_VERTEX, &nothing);
	bool const some = guess_constants(p, &unset, needs, &found);
	if (some || guess_constants(p, &all, &nothing, &found)) {
		qsort(found.consts.at, found.consts.n, sizeof *found.consts.at, by_register);
		text_string(t, "  equal if the application sets ");
		show_needs(t, &found, FIT_BLANK);
		text_string(t, some ? ", which nothing says yet\n" : ", which is not what the comments or the report say\n");
		return true;
	}
	struct text list = {.arena = p->a};
	print_registers(&list, "VP", &unset);
	print_registers(&list, "FP", &ps);
	if (list.n)
		text_printf(t, "  the second pair reads constants that nothing sets: %s; say with --constants-map of which FP constants the "
		               "application sets them\n", list.at);
	return list.n > 0;
}

/* Prints what may explain why the pairs differ: constants that the application must set, or a new literal that fpmove may have computed. */
static void print_hints(struct text *t, const struct options *o, struct proving *p)
{
	struct proof const with = prove_with(p, &p->said);
	bool const asked = o->constants_map != NULL, comments = asked && strcmp(o->constants_map, MAP_COMMENTS) == 0;
	if (!asked && !needs_none(&p->said)) {
		text_string(t, with.equal ? "  equal if the application sets " : "  also if the application sets ");
		show_needs(t, &p->said, FIT_BLANK);
		text_printf(t, ",\n  as the second pair's comments say%s\n", with.equal ? ": --constants-map=" MAP_COMMENTS : "");
	}
	if (with.equal && !asked)
		return;
	bool const explained = print_unset(t, p, asked && !comments ? &p->map : &p->said);
	const struct decl *d = explained ? NULL : new_literal(p);
	if (!with.equal && d && (!asked || comments))
		text_printf(t, "  c%d of the second pair is new: if fpmove computed it ahead, only its report says of what "
		               "(--constants-map=REPORT)\n", d->reg.index);
}

int prove_pairs(struct arena *a, const struct options *o)
{
	int status;
	struct proving p = {.a = a, .context = options_context(&o->run)};
	p.context.chosen_literals = true;
	if (!read_proof_pair(a, o, 0, &p.old, &p.given, &status) || !read_proof_pair(a, o, 1, &p.new, &p.said, &status))
		return status;
	bool const comments = o->constants_map && strcmp(o->constants_map, MAP_COMMENTS) == 0;
	if (o->constants_map && !comments && !read_constants_map(a, o->constants_map, o->files.at, &p.map))
		return EXIT_USAGE;
	const struct needs *map = comments ? &p.said : &p.map;
	struct proof const proof = o->constants_map ? prove_with(&p, map) : prove(a, p.old, p.new, &p.context);
	struct text t = {.arena = a};
	if (!proof.equal) {
		print_difference(&t, &p, &proof);
		print_hints(&t, o, &p);
	} else {
		text_string(&t, needs_none(map) ? "equal" : "equal, if the application sets ");
		show_needs(&t, map, FIT_BLANK);
		text_char(&t, '\n');
	}
	if (o->quiet)
		t.n = 0;
	fit_lines(&t, 0, 4, o->columns);
	status = proof.equal ? EXIT_DONE : EXIT_REJECTED;
	return print_out(&t) ? status : EXIT_USAGE;
}
