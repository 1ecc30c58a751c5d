/* Reads, moves and writes one unit of a batch, see work.h. */
#include "cli/work.h"

#include "cli/csv.h"
#include "cli/effect_move.h"
#include "cli/files.h"
#include "cli/guard.h"
#include "cli/html.h"
#include "cli/kinds.h"
#include "cli/lines.h"
#include "cli/message.h"
#include "cli/pairs.h"
#include "cli/passes.h"
#include "cli/preshader.h"
#include "cli/validate.h"
#include "connected.h"
#include "system/files.h"

#include <string.h>

static void worse(struct slot *s, int status)
{
	s->status = status > s->status ? status : s->status;
}

/* Adds an error to the messages of the slot, and makes its status at least EXIT_USAGE.  Returns false. */
static bool fail_unit(struct slot *s, const char *why)
{
	text_error(&s->said, "%s", why);
	worse(s, EXIT_USAGE);
	return false;
}

/* Returns true if the make rule of a pair goes to a file named like its FP, false if like its VP.  `first` is true for the first pair of the
 * unit that is done. */
static bool rule_is_beside_ps(const struct batch_unit *u, const struct batch_pair *pair, bool first)
{
	return !pair->ps_elsewhere && (first || u->sharing != SHARES_FP);
}

/* --- what is up to date ------------------------------------------------------------------ */

static uint64_t mark_file(uint64_t mark, const char *path)
{
	struct os_facts now;
	mark = mark_string(mark, path);
	if (!os_facts(path, &now))
		return mark;
	const int64_t when[2] = {now.seconds, now.nanoseconds};
	return mark_bytes(mark, when, sizeof when);
}

/* Returns a hash of everything that decides about a unit's outputs: the build of fpmove, options, paths, and the texts and times of its inputs. */
static uint64_t mark_inputs(const struct options *o, const struct run *runs, const struct batch_pair *pairs, uint32_t n)
{
	uint64_t mark = mark_string(mark_string(MARK_START, build_name), o->run_text.at ? o->run_text.at : "");
	for (uint32_t i = 0; i < n; i++) {
		mark = mark_string(mark_string(mark, pairs[i].vs_out), pairs[i].ps_out);
		for (uint32_t k = 0; k < runs[i].nsources; k++) {
			const struct source *s = &runs[i].sources[k];
			mark = mark_bytes(mark_file(mark, s->name), s->text, s->size);
			for (uint32_t j = 0; j < s->nincludes; j++)
				mark = mark_file(mark, s->includes[j]);
		}
	}
	return mark;
}

/* Returns a hash of the outputs: the sum of a hash for each path and its bytes, which does not depend on their order. */
static uint64_t mark_outputs(const struct outputs *outputs)
{
	uint64_t sum = outputs->n;
	for (uint32_t i = 0; i < outputs->n; i++)
		sum += mark_bytes(mark_string(MARK_START, outputs->at[i].path), outputs->at[i].text, outputs->at[i].n);
	return sum;
}

static struct output *output_at(const struct outputs *outputs, const char *path)
{
	for (uint32_t i = outputs->n; i-- > 0;)
		if (strcmp(outputs->at[i].path, path) == 0)
			return &outputs->at[i];
	return NULL;
}

/* Adds a file of an earlier run with its bytes, unless `outputs` already has its path.  Returns false if it cannot be read. */
static bool add_there(struct arena *a, struct outputs *outputs, const char *path)
{
	struct source s;
	const char *none;
	if (output_at(outputs, path))
		return true;
	if (!file_read_any(a, path, &s, &none))
		return false;
	VEC_PUSH(a, outputs) = (struct output){.path = path, .text = s.text, .n = s.size};
	return true;
}

/* Reads the files that the unit would write from the output folder.  Returns false if one cannot be read. */
static bool read_outputs(struct arena *a, const struct options *o, const struct batch_unit *u, struct outputs *outputs)
{
	for (uint32_t i = 0; i < u->n; i++) {
		const struct batch_pair *pair = &u->pairs[i];
		const char *vs = file_join(a, o->output, pair->vs_out), *ps = file_join(a, o->output, pair->ps_out);
		bool const ps_too = strcmp(pair->vs, pair->ps) != 0 && !pair->ps_elsewhere;
		if (!add_there(a, outputs, vs) || (ps_too && !add_there(a, outputs, ps)) ||
		    (o->deps && !add_there(a, outputs, dependency_name(a, rule_is_beside_ps(u, pair, i == 0) ? ps : vs))))
			return false;
	}
	return true;
}

static bool up_to_date(struct arena *a, const struct options *o, const struct record *record, const struct batch_unit *u, struct made *made)
{
	struct outputs outputs = {0};
	struct arena_mark const mark = arena_mark(a);
	bool same = read_outputs(a, o, u, &outputs);
	made->what = same ? mark_outputs(&outputs) : 0;
	arena_release(a, mark);
	return same && record_has(record, made);
}

/* --- what is written ---------------------------------------------------------------------- */

/* Output paths of a pair's two programs, each with the name of its input file, even if that name suggests the other stage. */
struct pair_paths {
	const char *vs, *ps;
};

static struct pair_paths pair_paths(const struct options *o, const struct run *r, const struct batch_pair *pair)
{
	const char *first = file_join(r->arena, o->output, pair->vs_out);
	const char *second = r->nsources == 1 ? first : file_join(r->arena, o->output, pair->ps_out);
	return (struct pair_paths){r->ps_first ? second : first, r->ps_first ? first : second};
}

/* Adds a make rule to the output `path`, behind the rules that this already has.  If a program has that path, adds a second output, which
 * write_unit() reports as an error. */
static void add_rule(struct arena *a, struct outputs *outputs, const char *path, const struct text *rule)
{
	struct output *there = output_at(outputs, path);
	if (!there || there->replaces) {
		add_output(a, outputs, path, rule);
		return;
	}
	there->text = arena_printf(a, "%.*s%s", (int)there->n, there->text, rule->at);
	there->n += rule->n;
}

/* Adds those programs of a pair that earlier pairs have not added, and the pair's make rule. */
static void add_pair_outputs(const struct options *o, const struct run *r, const struct batch_pair *pair, bool rule_beside_ps,
                             struct outputs *outputs)
{
	struct arena *a = r->arena;
	struct text deps = {.arena = a};
	struct outputs own = {0};
	struct pair_paths const to = pair_paths(o, r, pair);
	add_new_programs(&own, r, to.vs, to.ps);
	for (uint32_t i = 0; i < own.n; i++) {
		const struct output *there = output_at(outputs, own.at[i].path);
		if ((!there || !there->replaces) && (i == 0 || !pair->ps_elsewhere))
			VEC_PUSH(a, outputs) = own.at[i];
	}
	if (o->deps) {
		add_dependencies(&deps, o, r->sources, r->nsources, &own);
		/* The rule's file is named after one of the two programs, so that pairs that share the other program have different files. */
		add_rule(a, outputs, dependency_name(a, rule_beside_ps ? to.ps : to.vs), &deps);
	}
}

/* Returns true if the unit's new programs must not be written: the shared one would replace its input, which pairs of the unit that are not done
 * still need.  Then prints a message and rejects the pairs that are done. */
static bool must_stay(struct slot *s, const struct options *o, struct run *runs, const struct batch_unit *u)
{
	uint32_t done = 0, n = u->n;
	bool const same_vs = u->sharing == SHARES_VP;
	for (uint32_t i = 0; i < n; i++)
		done += run_is_done(&runs[i]);
	const char *from = same_vs ? u->pairs->vs : u->pairs->ps;
	if (u->sharing == SHARES_BOTH || done == 0 || done == n ||
	    !output_in_place(runs[0].arena, o, from, same_vs ? u->pairs->vs_out : u->pairs->ps_out))
		return false;
	text_error(&s->said, "%s: it stays, and so does all that goes with it, since not all pairs come to fit a new one", shown_name(from));
	for (uint32_t i = 0; i < n; i++)
		if (run_is_done(&runs[i]))
			runs[i].status = RUN_REJECTED;
	return true;
}

/* Proves for each done pair that its outputs, one of which the run of another pair may have made, equal the given pair.  Returns false after a
 * message and a reproducer for each pair for which that fails. */
static bool unit_proves(struct slot *s, struct run *runs, const struct options *o, const struct batch_unit *u, const struct outputs *outputs)
{
	bool all = true;
	for (uint32_t i = 0; i < u->n; i++) {
		if (!run_is_done(&runs[i]))
			continue;
		struct pair_paths const to = pair_paths(o, &runs[i], &u->pairs[i]);
		struct outputs written = *outputs;
		if (u->pairs[i].ps_elsewhere) {
			written = (struct outputs){0};
			VEC_PUSH(runs[i].arena, &written) = *output_at(outputs, to.vs);
			add_output(runs[i].arena, &written, to.ps, &runs[i].ps_text);
		}
		if (output_proves(&runs[i], &written, to.vs, to.ps))
			continue;
		say_fault(&runs[i], o, &s->said);
		all = false;
	}
	return all;
}

/* Writes the outputs of a unit, all or none, and adds the unit to the record unless that is NULL.  Returns EXIT_DONE, or EXIT_USAGE after a
 * message in s->said. */
static int write_and_record(struct slot *s, struct arena *a, const struct outputs *outputs, const struct record *record, struct made *made)
{
	const char *why;
	if (!files_write(a, outputs->at, outputs->n, &why))
		return fail_unit(s, why), EXIT_USAGE;
	if (record) {
		made->what = mark_outputs(outputs);
		record_add(record, made);
	}
	return EXIT_DONE;
}

/* Proves and writes the programs and make rules of the unit's done pairs, all or none.  Adds the unit to the record of --newer if all its pairs
 * are done.  Returns EXIT_DONE, or another exit status after a message in s->said. */
static int write_unit(struct slot *s, struct run *runs, const struct options *o, const struct batch_unit *u, const struct record *record,
                      struct made *made)
{
	struct arena *a = runs[0].arena;
	struct outputs outputs = {0};
	const char *why;
	bool first = true, all = true;
	for (uint32_t i = 0; i < u->n; i++) {
		if (!run_is_done(&runs[i])) {
			all = false;
			continue;
		}
		add_pair_outputs(o, &runs[i], &u->pairs[i], rule_is_beside_ps(u, &u->pairs[i], first), &outputs);
		first = false;
	}
	for (uint32_t i = 0; i < outputs.n; i++)
		outputs.at[i].make_folder = true;
	struct { VEC(struct source); } sources = {0};
	for (uint32_t i = 0; i < u->n; i++)
		for (uint32_t k = 0; k < runs[i].nsources; k++)
			VEC_PUSH(a, &sources) = runs[i].sources[k];
	if (!guard_outputs(a, o, &outputs, sources.at, sources.n, &why))
		return fail_unit(s, why), EXIT_USAGE;
	if (!unit_proves(s, runs, o, u, &outputs))
		return EXIT_FAULT;
	return write_and_record(s, a, &outputs, all ? record : NULL, made);
}

/* Returns false after a message, and sets s->clash, if a report of the batch would replace a file that the sources read or include. */
static bool keeps_includes(struct slot *s, struct arena *a, const struct options *o, const struct source *sources, uint32_t n)
{
	const char *why;
	bool any = false;
	for (uint32_t i = 0; i < n; i++)
		any |= sources[i].nincludes > 0;
	if (!any || guard_outputs(a, o, &(struct outputs){0}, sources, n, &why))
		return true;
	s->clash = true;
	return fail_unit(s, why);
}

/* Reads a pair's files into its run; for a refused pair, only adds the reason as an error.  Returns false after a message if a file cannot be
 * read, or if a report of the batch would replace a file that it includes. */
static bool read_pair(struct slot *s, struct arena *a, const struct options *o, struct run *r,
                      const struct batch_pair *pair)
{
	struct source *sources = arena_zero(a, 2 * sizeof *sources);
	bool const with_vp = pair->lone && o->vp;
	uint32_t n = strcmp(pair->vs, pair->ps) == 0 && !with_vp ? 1 : 2;
	const char *const paths[2] = {with_vp ? o->vp : pair->vs, pair->ps};
	const char *why;
	for (uint32_t i = 0; i < n; i++)
		sources[i] = (struct source){.name = paths[i], .text = ""};
	run_init(r, a, sources, n, &o->run);
	r->fp_only = with_vp;
	if (pair->refused) {
		diag_add(&r->diags, DIAG_ERROR, NULL, &sources[n - 1], SRCPOS_NONE, "%s", pair->refused);
		return true;
	}
	for (uint32_t i = 0; i < n; i++) {
		if (input_read(a, paths[i], o, &sources[i], &r->diags, &why))
			continue;
		r->status = RUN_FAILED;
		return fail_unit(s, why);
	}
	if (keeps_includes(s, a, o, sources, n))
		return true;
	r->status = RUN_FAILED;
	return false;
}

/* Reads a program of a unit.  If it cannot be read, adds an error to `said` and still returns true.  Returns false after a message if a report
 * of the batch would replace a file that the program includes. */
static bool read_program(struct slot *s, struct arena *a, const struct options *o, const char *path, struct source *source, struct diags *said)
{
	const char *why;
	*source = (struct source){.name = path, .text = ""};
	diag_init(said, a);
	if (!input_read(a, path, o, source, said, &why)) {
		diag_add(said, DIAG_ERROR, NULL, source, SRCPOS_NONE, "%s", why);
		worse(s, EXIT_USAGE);
	}
	return keeps_includes(s, a, o, source, 1);
}

/* Reads each program of a unit that is SHARES_BOTH once, and begins the runs of its pairs.  If a report of the batch would replace a file that a
 * program includes, marks all runs as failed and returns false. */
static bool read_set(struct slot *s, struct arena *a, const struct options *o, const struct batch_unit *u, struct connected *set)
{
	struct connected_program *programs = set->programs = arena_zero(a, 2 * u->n * sizeof *programs);
	struct connected_pair *pairs = arena_alloc(a, u->n * sizeof *pairs);
	struct diags *said = arena_zero(a, 2 * u->n * sizeof *said);
	bool read = true;
	set->pairs = pairs;
	for (uint32_t i = 0; i < u->n; i++) {
		const struct batch_pair *pair = &u->pairs[i];
		const char *const paths[2] = {pair->vs, pair->ps}, *const outs[2] = {pair->vs_out, pair->ps_out};
		uint32_t const number[2] = {pair->vs_number, pair->ps_number};
		struct source *sources = arena_alloc(a, 2 * sizeof *sources);
		pairs[i] = (struct connected_pair){number[0], number[1]};
		for (unsigned k = 0; k < 2; k++) {
			struct connected_program *p = &programs[number[k]];
			if (!p->given) {
				struct source *source = arena_alloc(a, sizeof *source);
				read &= read_program(s, a, o, paths[k], source, &said[number[k]]);
				*p = (struct connected_program){.given = source, .stage = k ? STAGE_PIXEL : STAGE_VERTEX, .stays = k && pair->ps_stays,
				                                .is_replaced = output_in_place(a, o, paths[k], outs[k])};
				set->nprograms++;
			}
			sources[k] = *p->given;
		}
		run_init(&set->runs[i], a, sources, 2, &o->run);
		for (unsigned k = 0; k < 2; k++)
			run_add_diags(&set->runs[i], &said[number[k]]);
	}
	for (uint32_t i = 0; !read && i < u->n; i++)
		set->runs[i].status = RUN_FAILED;
	return read;
}

static void add_reports(struct slot *s, const struct options *o, const struct run *r, const struct batch_pair *pair)
{
	if (o->csv)
		csv_pair(&s->csv, r, pair->vs, pair->ps);
	if (o->preshader && run_is_done(r))
		preshader_function(&s->preshader, r, pair->function);
	if (!o->report)
		return;
	json_t *j = report_pair(r);
	json_object_set_new(j, "index", json_integer(pair->index));
	text_string(&s->report, s->report.n ? ",\n" : "");
	report_line(&s->report, j);
}

static void add_lines(struct slot *s, const struct options *o, const struct run *r, const struct batch_pair *pair)
{
	bool const shorter = o->check_moves && could_be_shorter(r);
	s->shorter += shorter;
	worse(s, shorter ? EXIT_REJECTED : EXIT_DONE);
	if (shorter && !o->quiet)
		line_of_shorter(&s->shown, r, NULL, o);
	else if (lines_wanted(o) && !s->skipped)
		line_of_pair(&s->shown, r, pair, o);
	if (!run_is_done(r))
		line_of_trouble(&s->trouble, r, pair, &s->said);
	s->untold += lines_wanted(o) && !s->skipped && constants_untold(r, o);
}

struct unit_watch {
	struct watch *watch;
	uint32_t n;
};

static bool update_watch(void *who, const struct allowance *a)
{
	struct unit_watch *u = who;
	atomic_store(&u->watch->pairs, (unsigned)((a->all - a->left) * u->n / a->all));
	return !atomic_load(&u->watch->stop);
}

static void begin_profile(struct slot *s, const struct options *o)
{
	if (!o->verbose)
		return;
	s->profile = arena_alloc(&s->arena, sizeof *s->profile);
	passes_begin(s->profile);
}

/* Moves the pairs of a unit, from planning to the proof, and finds hints.  Returns false if a signal stopped the work. */
static bool run_unit(struct slot *s, const struct options *o, const struct batch_unit *u, struct run *runs, struct connected *set, struct watch *watch)
{
	struct unit_watch who = {watch, u->n};
	struct job const job = {.runs = runs, .n = u->n, .same_vs = u->sharing == SHARES_VP, .tell = update_watch, .who = &who};
	if (u->sharing == SHARES_BOTH) {
		set->keep = &s->arena;
		set->tell = update_watch;
		set->who = &who;
		return connected_run(set);
	}
	if (!job_run(&job))
		return false;
	help_job(&job, o);
	return true;
}

static void work(struct slot *s, struct arena *a, const struct options *o, const struct batch_unit *u, const struct record *record,
                 struct watch *watch)
{
	struct made made = {0};
	bool read = true;
	const struct batch_pair *pairs = u->pairs;
	uint32_t const n = u->n;
	struct run *runs = arena_zero(a, n * sizeof *runs);
	begin_profile(s, o);
	struct connected set = {.arena = a, .runs = runs, .npairs = n, .profile = s->profile};
	if (u->sharing == SHARES_BOTH)
		read = read_set(s, a, o, u, &set);
	for (uint32_t i = 0; i < n; i++) {
		if (u->sharing != SHARES_BOTH)
			read &= read_pair(s, a, o, &runs[i], &pairs[i]);
		runs[i].profile = s->profile;
	}
	if (read && record) {
		made.from = mark_inputs(o, runs, pairs, n);
		s->skipped = up_to_date(a, o, record, u, &made) ? n : 0;
	}
	if (s->skipped && !o->report && !o->csv && !o->html && !o->preshader)
		return;
	if (read && !run_unit(s, o, u, runs, &set, watch))
		return;
	for (uint32_t i = 0; read && i < n; i++) {
		struct text shown = {.arena = a};
		if (!s->skipped)
			validate_run(&runs[i], o);
		if (o->run.werror || !lines_wanted(o))
			warn_of_constants(&runs[i], o);
		worse(s, run_exit_status(runs[i].status));
		say_run(&runs[i], o, &s->said);
		worse(s, look_at_run(&runs[i], o, &shown, &s->said));
		if (shown.n)
			text_printf(&s->shown, "== %s %s\n%s", pairs[i].vs, pairs[i].ps, shown.at);
	}
	bool const writes = read && !s->skipped && o->output;
	bool stays = writes && must_stay(s, o, runs, u);
	int written = stays ? EXIT_REJECTED : writes ? write_unit(s, runs, o, u, record, &made) : EXIT_DONE;
	for (uint32_t i = 0; !stays && written != EXIT_DONE && i < n; i++)
		if (run_is_done(&runs[i]))
			runs[i].status = RUN_FAILED;
	worse(s, written);
	for (uint32_t i = 0; o->html && u->sharing == SHARES_BOTH && i < n; i++)
		html_pair(&s->html, &runs[i]);
	if (o->html && u->sharing != SHARES_BOTH)
		html_pairs(&s->html, runs, n, u->sharing == SHARES_VP);
	for (uint32_t i = 0; i < n; i++) {
		add_reports(s, o, &runs[i], &pairs[i]);
		add_lines(s, o, &runs[i], &pairs[i]);
		totals_add(&s->totals, &runs[i]);
	}
	hint_sums_add(&s->totals.hints, runs, n);
}

/* --- effects ------------------------------------------------------------------------------ */

/* Reads an effect file; errors in its text go to the job's notes.  Returns false after a message if the file or that of --vp cannot be read, or
 * if a report of the batch would replace a file that it includes. */
static bool read_effect(struct slot *s, const struct options *o, struct effect_job *job, struct source *file)
{
	const char *why;
	if (!file_read(job->arena, file->name, file, &why) || !effect_take_vp(job, o, &why))
		return fail_unit(s, why);
	file_judge(file, &job->notes);
	effect_job_read(job);
	struct source const from = effect_source(job);
	return keeps_includes(s, job->arena, o, &from, 1);
}

/* Writes the new text of an effect file.  Returns EXIT_DONE, or another exit status after a message in s->said. */
static int write_effect(struct slot *s, const struct options *o, const struct effect_job *job, const struct batch_pair *pair,
                        const struct record *record, struct made *made)
{
	struct arena *a = job->arena;
	struct outputs outputs = {0};
	struct text deps = {.arena = a};
	struct source const from = effect_source(job);
	const char *why, *path = file_join(a, o->output, pair->vs_out);
	add_program(a, &outputs, path, &job->text, job->file);
	if (o->deps) {
		add_dependencies(&deps, o, &from, 1, &outputs);
		add_output(a, &outputs, dependency_name(a, path), &deps);
	}
	for (uint32_t i = 0; i < outputs.n; i++)
		outputs.at[i].make_folder = true;
	if (!guard_outputs(a, o, &outputs, &from, 1, &why))
		return fail_unit(s, why), EXIT_USAGE;
	return write_and_record(s, a, &outputs, record, made);
}

/* Adds an effect's parts of the reports, its lines and its totals.  It counts as one pair with the sums over its pairs, and its status is at
 * least `status`. */
static void add_effect_rows(struct slot *s, const struct options *o, const struct effect_job *job, enum run_status status,
                            const struct batch_pair *pair)
{
	struct run sum = effect_job_sum(job);
	bool shorter = false;
	sum.status = status > sum.status ? status : sum.status;
	for (uint32_t k = 0; k < job->runs.n; k++)
		shorter |= could_be_shorter(&job->runs.at[k]);
	if (o->csv)
		csv_pair(&s->csv, &sum, pair->vs, pair->ps);
	if (o->report) {
		json_t *j = report_effect(job, sum.status);
		json_object_set_new(j, "index", json_integer(pair->index));
		report_line(&s->report, j);
	}
	s->shorter += o->check_moves && shorter;
	if (!o->check_moves && lines_wanted(o) && !s->skipped)
		line_of_pair(&s->shown, &sum, pair, o);
	if (!run_is_done(&sum))
		line_of_trouble(&s->trouble, &sum, pair, &s->said);
	s->untold += lines_wanted(o) && !s->skipped && constants_untold(&sum, o);
	totals_add(&s->totals, &sum);
	hint_sums_add(&s->totals.hints, job->runs.at, job->runs.n);
}

static void show_effect_pages(struct slot *s, const struct effect_job *job)
{
	for (uint32_t g = 0; g < (job->effect ? job->effect->groups.n : 0); g++) {
		struct effect_group const group = job->effect->groups.at[g];
		html_pairs(&s->html, &job->runs.at[group.first], group.n, effect_group_same_vs(job->effect, &group));
		for (uint32_t k = 0; k < group.staying; k++)
			html_pairs(&s->html, &job->runs.at[group.first + group.n + k], 1, true);
	}
}

static void work_on_effect(struct slot *s, struct arena *a, const struct options *o, const struct batch_unit *u, const struct record *record,
                           struct watch *watch)
{
	const struct batch_pair *pair = u->pairs;
	struct made made = {0};
	struct effect_job job;
	struct source file = {.name = pair->vs, .text = ""};
	const struct preprocess_options preprocess = options_preprocess(o);
	begin_profile(s, o);
	effect_job_init(&job, a, &file, &preprocess, &o->run);
	job.profile = s->profile;
	bool const read = read_effect(s, o, &job, &file);
	if (read && record) {
		struct source const from = effect_source(&job);
		made.from = mark_inputs(o, &(struct run){.sources = &from, .nsources = 1}, pair, 1);
		s->skipped = up_to_date(a, o, record, u, &made);
	}
	if (s->skipped && !o->report && !o->csv && !o->html)
		return;
	if (read && !job.notes.errors && !run_effect(&job, o, update_watch, &(struct unit_watch){watch, 1}))
		return;
	message_diags(&s->said, &job.notes, o->colour_err, o->quiet);
	int status = read ? rewrite_effect(&job, o) : EXIT_USAGE;
	worse(s, status);
	int const looked = look_at_effect(&job, o, pair->vs, &s->shown, &s->said);
	worse(s, looked);
	if (status == EXIT_DONE && looked == EXIT_DONE && !s->skipped && o->output)
		status = write_effect(s, o, &job, pair, record, &made);
	worse(s, status);
	if (o->html)
		show_effect_pages(s, &job);
	bool const failed = status == EXIT_USAGE || looked == EXIT_FAULT;
	add_effect_rows(s, o, &job, failed ? RUN_FAILED : RUN_IMPROVED, pair);
}

static void clear(struct slot *s)
{
	arena_reset(&s->arena);
	*s = (struct slot){.arena = s->arena};
	s->said = s->shown = s->report = s->csv = s->html = s->preshader = s->trouble = (struct text){.arena = &s->arena};
}

void work_on(struct slot *s, struct arena *scratch, const struct options *o, const struct batch_unit *u, const struct record *record,
             struct watch *watch)
{
	jmp_buf no_memory;
	arena_reset(scratch);
	clear(s);
	s->arena.on_failure = scratch->on_failure = &no_memory;
	if (setjmp(no_memory)) {
		clear(s);
		s->no_memory = true;
		s->status = EXIT_USAGE;
	} else {
		if (u->pairs->effect && !u->pairs->refused)
			work_on_effect(s, scratch, o, u, record, watch);
		else
			work(s, scratch, o, u, record, watch);
	}
	s->arena.on_failure = scratch->on_failure = NULL;
}
