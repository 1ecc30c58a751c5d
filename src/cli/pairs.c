/* Takes one pair through the command, see pairs.h. */
#include "cli/pairs.h"

#include "cli/alone.h"
#include "cli/csv.h"
#include "cli/dump.h"
#include "cli/files.h"
#include "cli/fit.h"
#include "cli/guard.h"
#include "cli/html.h"
#include "cli/kinds.h"
#include "cli/lines.h"
#include "cli/message.h"
#include "cli/modes.h"
#include "cli/passes.h"
#include "cli/preshader.h"
#include "cli/record.h"
#include "cli/remedy.h"
#include "cli/report.h"
#include "cli/show.h"
#include "cli/validate.h"
#include "hints.h"
#include "lang/bytecode.h"
#include "lang/effect_binary.h"
#include "lang/encoding.h"
#include "lang/foreign.h"
#include "lang/needs.h"
#include "lang/print.h"
#include "lang/print_c.h"
#include "system/files.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

void input_take(struct arena *a, const struct options *o, struct source *s, struct diags *d)
{
	uint32_t errors = d->errors;
	file_judge(s, d);
	if (!o->effect && effect_is_compiled(s->text, s->size))
		diag_add(d, DIAG_ERROR, "effect", s, SRCPOS_NONE, "a compiled effect, which --effect takes");
	const struct preprocess_options options = options_preprocess(o);
	/* foreign_tell() comes first, so that a file in another language is reported as such, not by errors in its preprocessor lines. */
	bool const text = d->errors == errors && !o->effect && !bytecode_is(s->text, s->size) && preprocess_wanted(s, &options);
	if (text && !foreign_tell(s, d)) {
		struct source *raw = arena_alloc(a, sizeof *raw);
		*raw = *s;
		preprocess(a, raw, &options, s, d);
	}
}

bool input_read(struct arena *a, const char *name, const struct options *o, struct source *s, struct diags *d,
                const char **why)
{
	if (!file_read(a, name, s, why))
		return false;
	input_take(a, o, s, d);
	return true;
}

/* Returns the file name for the new text of a program: that of its input, or one such as "stdin.vsh" if the input is standard input. */
static const char *output_base_name(const struct run *r, const struct program *p)
{
	if (strcmp(p->source->name, "-") != 0)
		return file_base(p->source->name);
	bool const compiled = (p == r->vs ? r->vs_new : r->ps_new)->source->bytecode;
	return p == r->vs ? compiled ? "stdin.vso" : "stdin.vsh" : compiled ? "stdin.pso" : "stdin.psh";
}

/* Writes both new programs of a run as one text, in the order of the given ones; or the given text, if it holds both and neither changed; or
 * only the new FP, if the run does not write its VP.  Leaves out a byte order mark of the second program, since only the start of a file may
 * have one. */
static void join_programs(struct text *both, const struct run *r)
{
	if (r->both_given) {
		text_bytes(both, r->vs->source->text, r->vs->source->size);
		return;
	}
	if (!run_writes_vs(r)) {
		text_bytes(both, r->ps_text.at, r->ps_text.n);
		return;
	}
	bool vertex_first = r->vs->at <= r->ps->at;
	const struct text *first = vertex_first ? &r->vs_text : &r->ps_text;
	const struct text *second = vertex_first ? &r->ps_text : &r->vs_text;
	text_bytes(both, first->at, first->n);
	text_char(both, '\n');
	size_t const mark = encoding_mark(&(struct source){.text = second->at, .size = second->n});
	text_bytes(both, second->at + mark, second->n - mark);
}

/* Returns `name` with the suffix of `suffix`, a file name: "blur.vsh" for "blur.psh" and "quad.vsh". */
static const char *name_beside(struct arena *a, const char *name, const char *suffix)
{
	const char *dot = strrchr(name, '.'), *end = strrchr(suffix, '.');
	return arena_printf(a, "%.*s%s", (int)(dot ? (size_t)(dot - name) : strlen(name)), name, end ? end : ".vsh");
}

void add_new_programs(struct outputs *to, const struct run *r, const char *vs, const char *ps)
{
	struct text both = {.arena = r->arena};
	if (run_writes_vs(r) && strcmp(vs, ps) != 0) {
		add_program(r->arena, to, vs, &r->vs_text, r->vs->source);
		add_program(r->arena, to, ps, &r->ps_text, r->ps->source);
		return;
	}
	join_programs(&both, r);
	add_program(r->arena, to, ps, &both, r->ps->source);
}

static bool add_programs(const struct options *o, const struct run *r, struct outputs *to, const char **why)
{
	struct arena *a = r->arena;
	if (strcmp(o->output, "-") == 0) {
		struct text both = {.arena = a};
		join_programs(&both, r);
		add_output(a, to, "-", &both);
		return true;
	}
	if (!directory_make(a, o->output, why))
		return false;
	const char *ps = output_base_name(r, r->ps), *vs = o->write_vp ? name_beside(a, ps, output_base_name(r, r->vs)) : output_base_name(r, r->vs);
	if (run_writes_vs(r) && strcmp(vs, ps) == 0 && r->vs->source != r->ps->source)
		return reason_for(a, why, "both programs would be written to %s", file_join(a, o->output, vs));
	add_new_programs(to, r, file_join(a, o->output, vs), file_join(a, o->output, ps));
	return true;
}

bool output_proves(struct run *r, const struct outputs *outputs, const char *vs, const char *ps)
{
	struct text bytes[2] = {{0}};
	const char *const path[2] = {vs, ps};
	for (unsigned k = 0; k < 2; k++)
		for (uint32_t i = 0; i < outputs->n; i++)
			if (strcmp(outputs->at[i].path, path[k]) == 0)
				bytes[k] = (struct text){.at = arena_copy(r->arena, outputs->at[i].text, outputs->at[i].n), .n = outputs->at[i].n};
	return run_proves(r, &bytes[0], strcmp(vs, ps) == 0 ? &bytes[0] : &bytes[1]);
}

void add_report(struct arena *a, const struct run *runs, uint32_t n, const struct options *o, struct outputs *to)
{
	if (!o->report)
		return;
	struct text t = {.arena = a};
	json_t *pairs = json_array();
	struct totals totals = {0};
	for (uint32_t i = 0; i < n; i++) {
		json_array_append_new(pairs, report_pair(&runs[i]));
		totals_add(&totals, &runs[i]);
	}
	report_text(&t, report_whole(pairs, &totals, &o->run, report_options(a, o->deciding.at, o->deciding.n)), 0);
	add_output(a, to, o->report, &t);
}

void add_csv(struct arena *a, const struct run *runs, uint32_t n, const struct options *o, struct outputs *to)
{
	struct text t = {.arena = a};
	if (!o->csv)
		return;
	text_string(&t, csv_head);
	for (uint32_t i = 0; i < n; i++)
		csv_pair(&t, &runs[i], shown_name(runs[i].sources[0].name), shown_name(runs[i].sources[runs[i].nsources - 1].name));
	add_output(a, to, o->csv, &t);
}

static bool shows_table(const struct options *o)
{
	bool const one = o->mode == MODE_MOVE && !o->check_moves;
	return o->stats || (one && o->terminal && !o->quiet && !o->diff && !o->explain && !o->dump);
}

bool constants_untold(const struct run *r, const struct options *o)
{
	bool told = o->constants || o->preshader || o->report || o->run.move.drop_in || (shows_table(o) && !o->run.werror);
	struct needs const by_register = needs_named(r->arena, &r->needs, false);
	return run_is_done(r) && o->output && !told && !needs_none(&by_register);
}

void warn_of_constants(struct run *r, const struct options *o)
{
	if (!constants_untold(r, o))
		return;
	struct text t = {.arena = r->arena};
	struct needs const by_register = needs_named(r->arena, &r->needs, false);
	show_needs(&t, &by_register, " ");
	diag_add(&r->diags, DIAG_WARNING, "constants", (run_writes_vs(r) ? r->vs : r->ps)->source, SRCPOS_NONE,
	         "the application must set %s; %s writes the list, --drop-in asks for none", t.at, o->batch ? "--report" : "--constants or --report");
	run_filter_warnings(&r->diags, &o->run);
	if (r->diags.errors)
		r->status = RUN_REJECTED;
}

/* Writes what the options ask for about a done run: diff, dump, explanation and table or hints. */
static void show(const struct options *o, const struct run *r, struct text *t, bool colour)
{
	if (o->diff)
		show_diff(t, r, colour);
	if (o->dump)
		show_dump(t, r, o->dump);
	size_t const from = t->n;
	if (o->explain)
		show_explain(t, r, colour);
	if (shows_table(o))
		show_table(t, r, colour);
	else if (o->explain)
		show_hints(t, r);
	fit_lines(t, from, 2, options_use_stdout(o) ? o->columns_err : o->columns);
}

/* Writes a folder into the output folder with the files that reproduce the fault, and a message that names the folder. */
static void write_reproducer(const struct options *o, const struct run *r, struct text *said)
{
	struct arena *a = r->arena;
	const char *why, *where = o->output && strcmp(o->output, "-") != 0 ? o->output : ".";
	const char *folder = arena_printf(a, "%s.fpmove-bug", file_join(a, where, output_base_name(r, r->ps)));
	struct text notes = {.arena = a};
	text_printf(&notes, "%s, level %d: %s\n", build_name, o->run.move.level, r->fault);
	struct outputs outputs = {0};
	const struct source *vs = r->vs->source, *ps = r->ps->source;
	VEC_PUSH(a, &outputs) = (struct output){.path = file_join(a, folder, "before.vsh"), .text = vs->text, .n = vs->size};
	if (ps != vs)
		VEC_PUSH(a, &outputs) = (struct output){.path = file_join(a, folder, "before.psh"), .text = ps->text, .n = ps->size};
	add_output(a, &outputs, file_join(a, folder, "after.vsh"), &r->vs_text);
	add_output(a, &outputs, file_join(a, folder, "after.psh"), &r->ps_text);
	add_output(a, &outputs, file_join(a, folder, "why.txt"), &notes);
	if (directory_make(a, folder, &why) && files_write(a, outputs.at, outputs.n, &why))
		text_error(said, "please report it with %s", folder);
	else
		text_error(said, "no reproducer: %s", why);
}

void say_fault(const struct run *r, const struct options *o, struct text *said)
{
	text_error(said, "%s: this is a fault of fpmove, and nothing was written", r->fault);
	text_error(said, "the pair as it was is safe to use: %s and %s", shown_name(r->vs->source->name),
	           shown_name(r->ps->source->name));
	write_reproducer(o, r, said);
}

/* Draws random primitives with both pairs, measures their errors (--verify), and shows them.  Returns false if the new pair's are too large,
 * or if it differs in another way that is not allowed, such as in the pixels that it kills. */
static bool verify(const struct options *o, struct run *r, struct text *t, bool colour)
{
	struct measure_options m = {.primitives = o->primitives, .tolerance = o->tolerance, .fp24 = o->fp24,
	                            .context = run_context(r)};
	struct measured *found = arena_alloc(r->arena, sizeof *found);
	*found = measure(r->arena, (struct pair){r->vs, r->ps}, (struct pair){r->vs_new, r->ps_new}, &m);
	r->measured = found;
	if (!o->quiet || !found->within)
		show_measured(t, found, colour);
	return found->within;
}

static bool write_results(const struct options *o, struct run *r, const char **why)
{
	struct arena *a = r->arena;
	struct outputs outputs = {0};
	struct text constants = {.arena = a}, preshader = {.arena = a}, dot = {.arena = a},
		    deps = {.arena = a}, page = {.arena = a};
	bool done = run_is_done(r);
	if (done && o->output && !add_programs(o, r, &outputs, why))
		return false;
	if (outputs.n && !output_proves(r, &outputs, outputs.at[0].path, outputs.at[outputs.n - 1].path)) {
		struct text said = {.arena = a};
		say_fault(r, o, &said);
		say(&said);
		outputs.n = 0;
		done = false;
	}
	if (done && o->deps) {
		add_dependencies(&deps, o, r->sources, r->nsources, &outputs);
		add_output(a, &outputs, dependency_path(a, o, output_base_name(r, r->ps)), &deps);
	}
	if (done && o->constants) {
		show_constants(&constants, r, o->constants, o->preshader ? preshader_name(r) : NULL);
		add_output(a, &outputs, o->constants, &constants);
	}
	if (done && o->preshader) {
		print_c_head(&preshader);
		preshader_function(&preshader, r, preshader_name(r));
		add_output(a, &outputs, o->preshader, &preshader);
	}
	if (done && o->dot) {
		show_dot(&dot, r);
		add_output(a, &outputs, o->dot, &dot);
	}
	if (!make_report_folders(a, o, why))
		return false;
	if (o->html) {
		html_head(&page, o);
		html_pairs(&page, r, 1, true);
		struct totals totals = {0};
		totals_add(&totals, r);
		html_tail(&page, &totals);
		add_output(a, &outputs, o->html, &page);
	}
	add_report(a, r, 1, o, &outputs);
	add_csv(a, r, 1, o, &outputs);
	return guard_outputs(a, o, &outputs, r->sources, r->nsources, why) && files_write(a, outputs.at, outputs.n, why);
}

/* Runs all steps on the pair, from parsing to the proof.  With --verbose, prints their times on standard error. */
static void run_steps(struct run *r, const struct options *o)
{
	struct text t = {.arena = r->arena};
	struct profile profile;
	if (o->verbose || o->dump) {
		passes_begin(&profile);
		r->profile = &profile;
	}
	job_run(&(struct job){.runs = r, .n = 1});
	r->profile = NULL;
	if (o->verbose && r->status != RUN_NO_MEMORY) {
		show_passes(&t, &profile);
		say(&t);
	}
}

void help_job(const struct job *job, const struct options *o)
{
	if (job->staying)
		return;
	if (job->n == 1)
		find_remedy(job->runs, o);
	bool const in_batch = o->mode == MODE_BATCH, sums_up = in_batch && !o->quiet && !o->check_moves;
	if (o->report || o->html || o->explain)
		find_hints(job, job->n == 1 && in_batch);
	else if (sums_up || shows_table(o))
		find_drop_in_hint(job, job->n == 1 && in_batch);
}

void say_run(const struct run *r, const struct options *o, struct text *said)
{
	if (r->status == RUN_NO_MEMORY) {
		text_error(said, "out of memory");
		return;
	}
	message_diags(said, &r->diags, o->colour_err, o->quiet);
	if (r->status == RUN_FAILED)
		say_fault(r, o, said);
}

/* Writes an output lane as "FILE:LINE: oC0.w", or a texkill as "FILE:LINE: texkill", with the place of the last instruction of the given pair
 * that writes it. */
static void print_output_place(struct text *t, const struct run *r, const struct measured_lane *at)
{
	bool const kill = at->file == REG_FILES, pixel = kill || at->file == REG_PIXEL_OUT || at->file == REG_DEPTH_OUT;
	const struct program *p = pixel ? r->ps : r->vs;
	uint32_t writer = p->instrs.n;
	for (uint32_t k = 0; k < p->instrs.n; k++) {
		const struct instr *i = &p->instrs.at[k];
		bool const writes = i->dst.file == at->file && i->dst.index == at->index && instr_writes(i) >> at->lane & 1;
		writer = kill ? i->op == OP_TEXKILL ? k : writer : writes ? k : writer;
	}
	if (writer < p->instrs.n) {
		struct place const place = source_place(p->source, p->instrs.at[writer].at);
		text_printf(t, "%s:%u: ", shown_name(place.file), (unsigned)place.line);
	}
	if (kill) {
		text_string(t, "texkill");
		return;
	}
	print_register(t, NULL, at->file, at->index);
	if (!reg_files[at->file].scalar)
		text_printf(t, ".%c", "xyzw"[at->lane]);
}

/* Writes a message why --verify refuses the pair, with the place and the option that would allow it unless this is a fault of fpmove.  Sets the
 * run's status to rejected or failed, and returns the exit status. */
static int refuse_unverified(struct run *r, struct text *said)
{
	const struct measured *m = r->measured;
	struct text at = {.arena = r->arena};
	r->status = m->remedy == REMEDY_NONE ? RUN_FAILED : RUN_REJECTED;
	switch (m->remedy) {
	case REMEDY_NONE:
		text_error(said, "%s: this is a fault of fpmove, and nothing was written", m->why);
		return EXIT_FAULT;
	case REMEDY_TOLERANCE:
		print_output_place(&at, r, &m->at);
		text_error(said, "%s: %s, beyond the tolerance, and nothing was written; --tolerance allows more", at.at, m->why);
		return EXIT_REJECTED;
	case REMEDY_FREE_TIES:
		print_output_place(&at, r, &m->at);
		text_error(said, "%s: a number that met a limit exactly comes through an interpolator in the new pair, perhaps a digit off, and "
		                 "nothing was written; --free-ties allows that", at.at);
		return EXIT_REJECTED;
	}
	return EXIT_FAULT;
}

int look_at_run(struct run *r, const struct options *o, struct text *shown, struct text *said)
{
	bool const colour = options_use_stdout(o) ? o->colour_err : o->colour_out;
	if (!run_is_done(r))
		return EXIT_DONE;
	if (o->verify && !verify(o, r, shown, colour))
		return refuse_unverified(r, said);
	show(o, r, shown, colour);
	return EXIT_DONE;
}

int check_moves(struct text *shown, const struct run *r, const char *name, const struct options *o)
{
	if (!could_be_shorter(r))
		return run_exit_status(r->status);
	if (!o->quiet)
		line_of_shorter(shown, r, name, o);
	return EXIT_REJECTED;
}

int move_pair(struct arena *a, const struct options *o)
{
	const char *why = NULL;
	uint32_t const n = o->files.n + (o->vp != NULL);
	struct source *sources = arena_zero(a, n * sizeof *sources);
	struct run r;
	run_init(&r, a, sources, n, &o->run);
	r.fp_only = o->vp && !o->write_vp;
	for (uint32_t i = 0; i < n; i++) {
		if (!input_read(a, i < o->files.n ? o->files.at[i] : o->vp, o, &sources[i], &r.diags, &why))
			return message_usage("%s", why);
	}
	const struct program *alone = n == 1 && !r.diags.errors ? alone_vertex(a, o, &sources[0]) : NULL;
	if (alone)
		return alone_write(a, o, alone, &sources[0]);
	run_steps(&r, o);
	help_job(&(struct job){.runs = &r, .n = 1}, o);
	validate_run(&r, o);
	warn_of_constants(&r, o);
	struct text said = {.arena = a}, shown = {.arena = a};
	say_run(&r, o, &said);
	bool beside = options_use_stdout(o);
	int const looked = look_at_run(&r, o, &shown, &said);
	say(&said);
	if (looked != EXIT_DONE)
		return finish(&shown, true, looked);
	if (r.status != RUN_NO_MEMORY && !write_results(o, &r, &why))
		return message_usage("%s", why);
	return finish(&shown, beside, o->check_moves ? check_moves(&shown, &r, NULL, o) : run_exit_status(r.status));
}
