/* Moves effect files, each pass of which is a pair; see effect_move.h. */
#include "cli/effect_move.h"

#include "cli/guard.h"
#include "cli/lines.h"
#include "cli/message.h"
#include "cli/modes.h"
#include "cli/pairs.h"
#include "cli/passes.h"
#include "cli/show.h"
#include "cli/validate.h"
#include "effects.h"
#include "lang/needs.h"

#include <string.h>

struct program_list effect_programs(struct arena *a, const struct source *file, const struct options *o,
                                    struct diags *d)
{
	const struct preprocess_options options = options_preprocess(o);
	struct program_list all = {0};
	const struct effect *e = effect_read(a, file, &options, d);
	for (uint32_t i = 0; e && i < e->blocks.n; i++) {
		const struct effect_block *b = &e->blocks.at[i];
		if (!b->live)
			continue;
		if (!b->whole) {
			diag_add(d, DIAG_NOTE, "effect", file, b->at, "this program is not checked: %s", b->stays);
			continue;
		}
		struct program_list some = parse_programs(a, &b->source, d);
		for (uint32_t k = 0; k < some.n; k++)
			VEC_PUSH(a, &all) = some.at[k];
	}
	return all;
}

/* Returns the source position of the pair's pass or, if it has no pass, of its VP, or of its FP if it has no VP. */
static srcpos pair_place(const struct effect *e, const struct effect_pair *pair)
{
	return pair->pass ? pair->pass->at : e->blocks.at[pair->vs < 0 ? pair->ps : pair->vs].at;
}

/* Adds a warning about the constants that the application must set for pair k, if no output lists them. */
static void note_constants(struct effect_job *job, uint32_t k, const struct options *o)
{
	const struct run *r = &job->runs.at[k];
	const struct effect *e = job->effect;
	const struct effect_pair *pair = &e->pairs.at[k];
	struct text t = {.arena = job->arena};
	if (!constants_untold(r, o))
		return;
	struct needs const by_register = needs_named(r->arena, &r->needs, false);
	show_needs(&t, &by_register, " ");
	diag_add(&job->notes, DIAG_WARNING, "constants", e->file, pair_place(e, pair),
	         "this %s now needs %s; --report writes the list, --drop-in asks for none", pair->pass ? "pass" : "pair", t.at);
}

/* Returns a name of the pair for messages, "blur.fx:12: technique t pass p".  A compiled effect has no line number in it. */
static const char *pair_name(struct arena *a, const struct effect *e, const struct effect_pair *pair)
{
	const char *file = shown_name(e->file->name);
	if (e->compiled)
		return arena_printf(a, "%s: %s", file, effect_pair_name(a, e, pair));
	uint32_t const line = source_line(e->file, pair_place(e, pair));
	if (!pair->pass)
		return arena_printf(a, "%s:%u", file, (unsigned)line);
	return arena_printf(a, "%s:%u: %s", file, (unsigned)line, effect_pair_name(a, e, pair));
}

/* Writes a heading for the tables of a pair: "== blur.fx TECHNIQUE PASS", or "== blur.fx line 12" if it has no pass. */
static void put_pair_heading(struct text *t, const struct effect *e, const struct effect_pair *pair, const char *file)
{
	text_printf(t, "== %s%s", file ? file : "", file ? " " : "");
	if (pair->pass)
		text_printf(t, "%s %s\n", pair->pass->technique, pair->pass->name);
	else
		text_printf(t, "line %u\n", (unsigned)source_line(e->file, pair_place(e, pair)));
}

static const char *effect_output_name(const struct options *o, const struct effect_job *job)
{
	const char *name = o->files.at[0];
	return strcmp(name, "-") != 0 ? file_base(name) : job->effect->compiled ? "stdin.fxo" : "stdin.fx";
}

struct source effect_source(const struct effect_job *job)
{
	struct source s = *job->file;
	s.includes = job->effect ? job->effect->includes : NULL;
	s.nincludes = job->effect ? job->effect->nincludes : 0;
	if (job->vp) {
		const char **all = arena_alloc(job->arena, (s.nincludes + 1) * sizeof *all);
		for (uint32_t k = 0; k < s.nincludes; k++)
			all[k] = s.includes[k];
		all[s.nincludes++] = job->vp->name;
		s.includes = all;
	}
	return s;
}

bool effect_take_vp(struct effect_job *job, const struct options *o, const char **why)
{
	if (!o->vp)
		return true;
	struct source *s = arena_zero(job->arena, sizeof *s);
	job->vp = s;
	return input_read(job->arena, o->vp, &(struct options){.defines = o->defines, .includes = o->includes}, s, &job->notes, why);
}

static bool write_effect_outputs(struct arena *a, const struct options *o, const struct effect_job *job, int status, const char **why)
{
	struct outputs outputs = {0};
	struct text deps = {.arena = a};
	struct source const from = effect_source(job);
	if (status == EXIT_DONE && o->output) {
		bool out = strcmp(o->output, "-") == 0;
		if (!out && !directory_make(a, o->output, why))
			return false;
		add_program(a, &outputs, out ? "-" : file_join(a, o->output, effect_output_name(o, job)), &job->text, job->file);
	}
	if (status == EXIT_DONE && o->deps) {
		add_dependencies(&deps, o, &from, 1, &outputs);
		add_output(a, &outputs, dependency_path(a, o, effect_output_name(o, job)), &deps);
	}
	add_report(a, job->runs.at, job->runs.n, o, &outputs);
	add_csv(a, job->runs.at, job->runs.n, o, &outputs);
	if (!make_report_folders(a, o, why))
		return false;
	return guard_outputs(a, o, &outputs, &from, 1, why) && files_write(a, outputs.at, outputs.n, why);
}

bool run_effect(struct effect_job *job, const struct options *o, bool (*tell)(void *who, const struct allowance *), void *who)
{
	struct options own = *o;
	own.run = job->options;
	if (!effect_job_move(job, tell, who))
		return false;
	for (uint32_t k = 0; k < job->runs.n; k++) {
		job->runs.at[k].profile = NULL;
		validate_run(&job->runs.at[k], &own);
	}
	for (uint32_t g = 0; g < job->effect->groups.n; g++) {
		struct effect_group const group = job->effect->groups.at[g];
		help_job(&(struct job){.runs = &job->runs.at[group.first], .n = group.n, .staying = group.staying,
		                       .same_vs = effect_group_same_vs(job->effect, &group)}, &own);
	}
	for (uint32_t k = 0; k < job->runs.n && (o->run.werror || o->mode != MODE_BATCH || !lines_wanted(o)); k++)
		note_constants(job, k, o);
	run_filter_warnings(&job->notes, &o->run);
	return true;
}

int rewrite_effect(struct effect_job *job, const struct options *o)
{
	int const status = run_exit_status(effect_job_status(job));
	bool const wanted = status == EXIT_DONE && (o->output || o->run.outcomes);
	return wanted && effect_job_rewrite(job) ? EXIT_FAULT : status;
}

int look_at_effect(struct effect_job *job, const struct options *o, const char *file, struct text *shown, struct text *said)
{
	int worst = EXIT_DONE;
	for (uint32_t k = 0; k < job->runs.n; k++) {
		struct run *r = &job->runs.at[k];
		const struct effect_pair *pair = &job->effect->pairs.at[k];
		struct text part = {.arena = job->arena};
		say_run(r, o, said);
		look_at_run(r, o, &part, said);
		int status = run_exit_status(r->status);
		if (part.n)
			put_pair_heading(shown, job->effect, pair, file);
		text_bytes(shown, part.at, part.n);
		if (o->check_moves && status == EXIT_DONE)
			status = check_moves(shown, r, pair_name(job->arena, job->effect, pair), o);
		worst = status > worst ? status : worst;
	}
	return worst;
}

int move_effect(struct arena *a, const struct options *o)
{
	struct source file;
	struct effect_job job;
	const char *why;
	if (!file_read(a, o->files.at[0], &file, &why))
		return message_usage("%s", why);
	const struct preprocess_options preprocess = options_preprocess(o);
	effect_job_init(&job, a, &file, &preprocess, &o->run);
	file_judge(&file, &job.notes);
	if (!effect_take_vp(&job, o, &why))
		return message_usage("%s", why);
	struct text said = {.arena = a}, shown = {.arena = a};
	struct profile profile;
	passes_begin(&profile);
	job.profile = o->verbose ? &profile : NULL;
	if (effect_job_read(&job))
		run_effect(&job, o, NULL, NULL);
	else
		run_filter_warnings(&job.notes, &o->run);
	if (o->verbose && job.runs.n)
		show_passes(&said, &profile);
	message_diags(&said, &job.notes, o->colour_err, o->quiet);
	int worst = rewrite_effect(&job, o);
	int const looked = look_at_effect(&job, o, NULL, &shown, &said);
	worst = looked > worst ? looked : worst;
	say(&said);
	if (!write_effect_outputs(a, o, &job, worst, &why))
		return message_usage("%s", why);
	return finish(&shown, options_use_stdout(o), worst);
}
