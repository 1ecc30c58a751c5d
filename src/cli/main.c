/* The command fpmove: runs each mode, from reading to the exit status. */
#include "cli/files.h"
#include "cli/fit.h"
#include "cli/guard.h"
#include "cli/message.h"
#include "cli/modes.h"
#include "cli/options.h"
#include "cli/pairs.h"
#include "cli/record.h"
#include "cli/validate.h"
#include "lang/check.h"
#include "lang/link.h"
#include "lang/mcpp.h"
#include "lang/parse.h"
#include "system/process.h"

#include <string.h>

const char command_name[] = "fpmove";

/* Prints the diagnostics, except warnings that options turn off.  Returns false if there are errors. */
static bool say_checked(struct arena *a, const struct options *o, struct diags *d)
{
	struct text t = {.arena = a};
	run_filter_warnings(d, &o->run);
	message_diags(&t, d, o->colour_err, o->quiet);
	say(&t);
	return d->errors == 0;
}

static int check_files(struct arena *a, const struct options *o)
{
	int worst = EXIT_DONE;
	unsigned programs = 0, errors = 0, warnings = 0;
	const struct program *of[2] = {NULL, NULL}; /* for each stage, the last program */
	for (uint32_t i = 0; i < o->files.n; i++) {
		struct source *source = arena_zero(a, sizeof *source);
		const char *why;
		struct diags d;
		diag_init(&d, a);
		if (!input_read(a, o->files.at[i], o, source, &d, &why)) {
			message_error("%s", why);
			worst = EXIT_USAGE;
			continue;
		}
		struct program_list list = {0};
		if (!d.errors && o->effect)
			list = effect_programs(a, source, o, &d);
		else if (!d.errors)
			list = parse_programs(a, source, &d);
		if (!d.errors && !list.n)
			diag_add(&d, DIAG_ERROR, NULL, source, SRCPOS_NONE, "no program here");
		struct check_options options = {.incomplete = d.errors > 0, .device = &o->run.device, .longer_warns = true};
		for (uint32_t k = 0; k < list.n; k++) {
			check_program(list.at[k], &options, &d);
			of[program_stage(list.at[k])] = list.at[k];
		}
		if (!say_checked(a, o, &d) && worst == EXIT_DONE)
			worst = EXIT_REJECTED;
		programs += list.n;
		errors += d.errors;
		warnings += d.warnings;
	}
	if (worst == EXIT_DONE && programs == 2 && of[STAGE_VERTEX] && of[STAGE_PIXEL]) {
		struct diags d;
		diag_init(&d, a);
		link_pair(program_copy(a, of[STAGE_VERTEX]), program_copy(a, of[STAGE_PIXEL]), &d);
		if (!d.errors)
			link_warn_unwritten(of[STAGE_VERTEX], of[STAGE_PIXEL], &d);
		if (!say_checked(a, o, &d))
			worst = EXIT_REJECTED;
		errors += d.errors;
		warnings += d.warnings;
	}
	if (o->verbose) {
		struct text t = {.arena = a};
		text_printf(&t, "%u program%s: %u errors, %u warnings\n", programs, programs == 1 ? "" : "s", errors, warnings);
		return print_out(&t) ? worst : EXIT_USAGE;
	}
	return worst;
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
			return message_usage("%s", why);
		text_bytes(&t, sources[i].text, sources[i].size);
	}
	run_filter_warnings(&d, &o->run);
	message_diags(&said, &d, o->colour_err, o->quiet);
	say(&said);
	if (d.errors)
		return EXIT_REJECTED;
	return print_out(&t) ? EXIT_DONE : EXIT_USAGE;
}

enum { RULE_TEXT_AT = 32 };

/* Prints notes about options that make -O2 or -O3 use the method of -O1, and about --pixels-per-vertex=0, with which nothing pays. */
static void note_stages(const struct options *o)
{
	const struct move_options *m = &o->run.move;
	if (o->quiet || m->level < 2 || (o->mode != MODE_MOVE && o->mode != MODE_BATCH))
		return;
	if (o->run.given & GIVEN_MAX_MOVES)
		message_note("--max-moves=%u moves by the method of -O1 where there are more instructions than that", m->max_moves);
	if (o->run.given & GIVEN_STOP_AT && m->ps_slots)
		message_note("--ps-slots moves by the method of -O1");
	if (o->run.given & GIVEN_PIXELS && !m->pixels_per_vertex)
		message_note("--pixels-per-vertex=0: vertices outnumber pixels, so work stays in the pixel program");
}

static int run_mode(struct arena *a, int argc, char **argv)
{
	struct options o;
	struct text t = {.arena = a};
	if (!options_parse(a, argc, argv, &o))
		return EXIT_USAGE;
	const char *why;
	if (!guard_options(a, &o, &why))
		return message_usage("%s", why);
	note_stages(&o);
	if ((o.mode == MODE_MOVE || o.mode == MODE_BATCH) && !validator_open(a, &o))
		return EXIT_USAGE;
	int status = EXIT_DONE;
	switch (o.mode) {
	case MODE_MOVE: status = o.effect ? move_effect(a, &o) : move_pair(a, &o); break;
	case MODE_BATCH: status = move_batch(a, &o); break;
	case MODE_MERGE: return merge_reports(a, &o);
	case MODE_COMPARE: return compare_reports(a, &o);
	case MODE_CHECK: return check_files(a, &o);
	case MODE_PROVE: return prove_pairs(a, &o);
	case MODE_PREPROCESS: return preprocess_files(a, &o);
	case MODE_PRINT: return print_files(a, &o);
	case MODE_UNPACK: return unpack_trace(a, &o);
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
	validator_close(&o);
	return t.n && !print_out(&t) ? EXIT_USAGE : status;
}

int main(int argc, char **argv)
{
	os_begin(&argc, &argv, mcpp_child);
	return command_run(argc, argv, run_mode);
}
