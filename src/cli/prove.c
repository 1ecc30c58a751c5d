/* --prove, see prove.h. */
#include "cli/prove.h"

#include "cli/files.h"
#include "cli/fit.h"
#include "cli/message.h"
#include "cli/pairs.h"
#include "cli/report.h"
#include "cli/show.h"
#include "lang/listing.h"
#include "lang/needs.h"
#include "lang/print.h"

#include <string.h>

static int usage_error(const char *why)
{
	message_error("%s", why);
	return EXIT_USAGE;
}

/* The two programs of one pair of files, checked, and what the application sets for them by their comments; false:
 * `*status` is the exit status. */
static bool read_pair(struct arena *a, const struct options *o, uint32_t first, struct pair *pair, struct needs *given,
                      int *status)
{
	struct run r;
	struct source *sources = arena_zero(a, 2 * sizeof *sources);
	run_init(&r, a, sources, 2, &o->run);
	for (uint32_t i = 0; i < 2; i++) {
		const char *why;
		if (!input_read(a, o->files.at[first + i], o, &sources[i], &r.diags, &why)) {
			*status = usage_error(why);
			return false;
		}
	}
	for (unsigned i = 0; !r.diags.errors && i < STEP_MOVE; i++)
		pipeline[i].run(&r);
	struct text t = {.arena = a};
	message_diags(&t, &r.diags, o->colour_err, o->quiet);
	say(&t);
	*status = EXIT_REJECTED;
	*pair = (struct pair){r.vs, r.ps};
	*given = r.given;
	return r.diags.errors == 0;
}

/* What a report says was computed ahead: the expression of each constant is one program. */
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

static bool is_file(struct arena *a, json_t *program, const char *name)
{
	json_t *wanted = report_name(a, shown_name(name));
	bool same = json_equal(json_object_get(program, "file"), wanted);
	json_decref(wanted);
	return same;
}

/* The only pair of a report, or the one of these two files; NULL: there is none. */
static json_t *find_pair(struct arena *a, json_t *pairs, const char *const files[2])
{
	if (json_array_size(pairs) == 1)
		return json_array_get(pairs, 0);
	for (size_t i = 0; i < json_array_size(pairs); i++) {
		json_t *pair = json_array_get(pairs, i), *vs = json_object_get(pair, "vs"), *ps = json_object_get(pair, "ps");
		for (unsigned k = 0; k < 2; k++)
			if (is_file(a, vs, files[k]) && is_file(a, ps, files[1 - k]))
				return pair;
	}
	return NULL;
}

/* `files`: of the first pair. */
static bool read_constants_map(struct arena *a, const char *path, const char *const files[2], struct needs *needs)
{
	struct source s;
	const char *why;
	if (!file_read_any(a, path, &s, &why)) {
		message_error("%s", why);
		return false;
	}
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

/* The proof of four files' pairs, and what it may assume. */
struct proving {
	struct arena *a;
	struct pair old, new;
	struct needs given, said; /* what the old pair's comments say that the application sets, and the new one's */
	struct needs map;         /* of --constants-map */
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

/* A literal of the second pair that the first one has in no program; NULL: there is none. */
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

/* Behind a difference: would constants that the application sets, or literals that were computed ahead, explain it? */
static void print_hints(struct text *t, const struct options *o, struct proving *p)
{
	struct proof const with = prove_with(p, &p->said);
	bool const asked = o->constants_map != NULL;
	if (!asked && !needs_none(&p->said)) {
		text_string(t, with.equal ? "  equal if the application sets " : "  also if the application sets ");
		show_needs(t, &p->said, FIT_BLANK);
		text_printf(t, ",\n  as the second pair's comments say%s\n", with.equal ? ": --constants-map=" MAP_COMMENTS : "");
	}
	const struct decl *d = new_literal(p);
	if (!with.equal && d && (!asked || strcmp(o->constants_map, MAP_COMMENTS) == 0))
		text_printf(t, "  c%d of the second pair is new: if fpmove computed it ahead, only its report says of what "
		               "(--constants-map=REPORT)\n", d->reg.index);
}

int prove_pairs(struct arena *a, const struct options *o)
{
	int status;
	const char *why;
	struct proving p = {.a = a, .context = options_context(&o->run)};
	p.context.chosen_literals = true;
	if (!read_pair(a, o, 0, &p.old, &p.given, &status) || !read_pair(a, o, 2, &p.new, &p.said, &status))
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
	return print_out(&t, &why) ? status : usage_error(why);
}
