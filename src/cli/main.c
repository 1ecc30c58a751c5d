/* fpmove: the command.  What each mode does, from reading to exit status. */
#include "cli/batch.h"
#include "cli/compare.h"
#include "cli/files.h"
#include "cli/fit.h"
#include "cli/guard.h"
#include "cli/message.h"
#include "cli/options.h"
#include "cli/pairs.h"
#include "cli/record.h"
#include "cli/report.h"
#include "lang/check.h"
#include "lang/parse.h"
#include "lang/print.h"

#include <string.h>

static int usage_error(const char *why)
{
	message_error("%s", why);
	return EXIT_USAGE;
}

static int print_and_exit(const struct text *t, int status)
{
	const char *why;
	return print_out(t, &why) ? status : usage_error(why);
}

static int check_files(struct arena *a, const struct options *o)
{
	int worst = EXIT_DONE;
	unsigned programs = 0, errors = 0, warnings = 0;
	for (uint32_t i = 0; i < o->files.n; i++) {
		struct source source;
		const char *why;
		struct diags d;
		diag_init(&d, a);
		if (!input_read(a, o->files.at[i], o, &source, &d, &why)) {
			message_error("%s", why);
			worst = EXIT_USAGE;
			continue;
		}
		struct program_list list = {0};
		if (!d.errors && o->effect)
			list = effect_programs(a, &source, o, &d);
		else if (!d.errors)
			list = parse_programs(a, &source, &d);
		if (!d.errors && !list.n)
			diag_add(&d, DIAG_ERROR, NULL, &source, SRCPOS_NONE, "no program here");
		struct check_options options = {.incomplete = d.errors > 0};
		for (uint32_t k = 0; k < list.n; k++)
			check_program(list.at[k], &options, &d);
		run_filter_warnings(&d, &o->run);
		struct text t = {.arena = a};
		message_diags(&t, &d, o->colour_err, o->quiet);
		say(&t);
		programs += list.n;
		errors += d.errors;
		warnings += d.warnings;
		if (d.errors && worst == EXIT_DONE)
			worst = EXIT_REJECTED;
	}
	if (o->verbose) {
		struct text t = {.arena = a};
		text_printf(&t, "%u program%s: %u errors, %u warnings\n", programs, programs == 1 ? "" : "s", errors, warnings);
		return print_and_exit(&t, worst);
	}
	return worst;
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
static bool read_computed(struct arena *a, json_t *list, bool preset, struct proof_context *context)
{
	uint32_t n = context->nfolds;
	struct folded *folds = arena_zero(a, (n + LANES * json_array_size(list) + 1) * sizeof *folds);
	if (n)
		memcpy(folds, context->folds, n * sizeof *folds);
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
				folds[n++] = (struct folded){vs ? STAGE_VERTEX : STAGE_PIXEL, (int)index, lane, expr.at[0], 0, lane, preset};
	}
	context->folds = folds;
	context->nfolds = n;
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
static bool read_constants_map(struct arena *a, const char *path, const char *const files[2], struct proof_context *context)
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
	else if (!read_computed(a, json_object_get(pair, "preshader"), true, context) ||
	         !read_computed(a, json_object_get(pair, "folded"), false, context))
		why = "it has expressions that cannot be read";
	if (why) {
		message_error("%s: %s", shown_name(path), why);
		json_decref(report);
		return false;
	}
	size_t n = json_array_size(list);
	struct const_map *map = arena_zero(a, (n ? n : 1) * sizeof *map);
	for (size_t i = 0; i < n; i++) {
		json_t *entry = json_array_get(list, i);
		map[i].vs = (int)json_integer_value(json_object_get(entry, "vs"));
		map[i].ps = (int)json_integer_value(json_object_get(entry, "ps"));
	}
	context->consts = map;
	context->nconsts = (uint32_t)n;
	json_decref(report);
	return true;
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
	print_instr(t, i);
	text_char(t, '\n');
}

static int prove_pairs(struct arena *a, const struct options *o)
{
	struct pair old, new;
	int status;
	struct proof_context context = options_context(&o->run);
	context.chosen_literals = true;
	struct needs given, ignored;
	if (!read_pair(a, o, 0, &old, &given, &status) || !read_pair(a, o, 2, &new, &ignored, &status))
		return status;
	if (o->constants_map)
		context.given = &given;
	if (o->constants_map && !read_constants_map(a, o->constants_map, o->files.at, &context))
		return EXIT_USAGE;
	struct proof proof = prove(a, old, new, &context);
	struct text t = {.arena = a};
	if (proof.equal) {
		text_printf(&t, "equal\n");
	} else {
		text_printf(&t, "differs: %s\n", proof.why ? proof.why : "");
		bool const placed = proof.old_instr != UINT32_MAX || proof.new_instr != UINT32_MAX;
		if (placed)
			print_culprit(&t, "first pair", &old, proof.stage, proof.old_instr);
		if (placed)
			print_culprit(&t, "second pair", &new, proof.stage, proof.new_instr);
	}
	if (o->quiet)
		t.n = 0;
	return print_and_exit(&t, proof.equal ? EXIT_DONE : EXIT_REJECTED);
}

static int preprocess_files(struct arena *a, const struct options *o)
{
	struct text t = {.arena = a}, said = {.arena = a};
	struct diags d;
	diag_init(&d, a);
	struct source *sources = arena_zero(a, o->files.n * sizeof *sources);
	for (uint32_t i = 0; i < o->files.n; i++) {
		const char *why;
		if (!input_read(a, o->files.at[i], o, &sources[i], &d, &why))
			return usage_error(why);
		text_bytes(&t, sources[i].text, sources[i].size);
	}
	run_filter_warnings(&d, &o->run);
	message_diags(&said, &d, o->colour_err, o->quiet);
	say(&said);
	if (d.errors)
		return EXIT_REJECTED;
	return print_and_exit(&t, EXIT_DONE);
}

/* What killed runs left half done beside the files that are about to be read. */
static bool mend_folders(struct arena *a, const struct options *o)
{
	for (uint32_t i = 0; i < o->files.n; i++) {
		const char *file = o->files.at[i];
		bool seen = o->mode == MODE_RULES || strcmp(file, "-") == 0;
		for (uint32_t k = 0; k < i && !seen; k++)
			seen = file_same_folder(file, o->files.at[k]);
		const char *why;
		if (!seen && !files_mend(a, file, &why)) {
			message_error("%s", why);
			return false;
		}
	}
	return true;
}

/* The column in which the list of rules says what each asks. */
enum { RULE_TEXT_AT = 32 };

static int run_mode(struct arena *a, int argc, char **argv)
{
	struct options o;
	struct text t = {.arena = a};
	if (!options_parse(a, argc, argv, &o) || !mend_folders(a, &o))
		return EXIT_USAGE;
	const char *why;
	if (!guard_options(a, &o, &why))
		return usage_error(why);
	switch (o.mode) {
	case MODE_MOVE: return o.effect ? move_effect(a, &o) : move_pair(a, &o);
	case MODE_BATCH: return move_batch(a, &o);
	case MODE_MERGE: return merge_reports(a, &o);
	case MODE_COMPARE: return compare_reports(a, &o);
	case MODE_CHECK: return check_files(a, &o);
	case MODE_PROVE: return prove_pairs(a, &o);
	case MODE_PREPROCESS: return preprocess_files(a, &o);
	case MODE_RULES:
		for (uint32_t i = 0; i < o.files.n; i++) {
			text_string(&t, i ? "\n" : "");
			rules_describe(&t, o.files.at[i]);
		}
		if (!o.files.n)
			rules_describe(&t, NULL);
		fit_lines(&t, 0, RULE_TEXT_AT, o.columns);
		break;
	case MODE_HELP:
		options_help(&t);
		fit_lines(&t, 0, 2, o.columns);
		break;
	case MODE_VERSION: text_printf(&t, "%s\n", build_name); break;
	}
	return print_and_exit(&t, EXIT_DONE);
}

int main(int argc, char **argv)
{
	jmp_buf no_memory;
	struct arena arena;
	arena_init(&arena, &no_memory);
	report_begin();
	int status;
	if (setjmp(no_memory))
		status = usage_error("out of memory");
	else
		status = run_mode(&arena, argc, argv);
	arena_free(&arena);
	return status;
}
