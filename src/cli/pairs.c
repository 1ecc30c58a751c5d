/* One pair through the command, see pairs.h. */
#include "cli/pairs.h"

#include "cli/files.h"
#include "cli/message.h"
#include "cli/preprocess.h"
#include "cli/report.h"
#include "cli/show.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

struct outputs {
	VEC(struct output);
};

bool input_read(struct arena *a, const char *name, const struct options *o, struct source *s, struct diags *d,
                const char **why)
{
	if (!file_read(a, name, s, why))
		return false;
	uint32_t errors = d->errors;
	file_judge(s, d);
	if (d->errors == errors && preprocess_wanted(s, o)) {
		struct source *raw = arena_alloc(a, sizeof *raw);
		*raw = *s;
		preprocess(a, raw, o, s, d);
	}
	return true;
}

static void add_output(struct arena *a, struct outputs *to, const char *path, const struct text *t)
{
	VEC_PUSH(a, to) = (struct output){path, t->at ? t->at : "", t->n};
}

/* Names of the two outputs: the inputs' own; those of standard input by what they hold. */
static const char *output_name(const struct run *r, const struct program *p)
{
	if (strcmp(p->source->name, "-") != 0)
		return file_base(p->source->name);
	return p == r->vs ? "stdin.vsh" : "stdin.psh";
}

/* Both programs of one file go back into one file, in their order. */
static void join(struct text *both, const struct run *r)
{
	bool vertex_first = r->vs->at <= r->ps->at;
	const struct text *first = vertex_first ? &r->vs_text : &r->ps_text;
	const struct text *second = vertex_first ? &r->ps_text : &r->vs_text;
	text_bytes(both, first->at, first->n);
	text_char(both, '\n');
	text_bytes(both, second->at, second->n);
}

static bool add_programs(const struct options *o, const struct run *r, struct outputs *to, struct text *both,
                         const char **why)
{
	struct arena *a = r->arena;
	bool one_file = r->vs->source == r->ps->source;
	if (strcmp(o->output, "-") == 0) {
		join(both, r);
		add_output(a, to, "-", both);
		return true;
	}
	if (!directory_make(a, o->output, why))
		return false;
	const char *vs = output_name(r, r->vs), *ps = output_name(r, r->ps);
	if (strcmp(vs, ps) == 0 && !one_file) {
		*why = arena_printf(a, "both programs would be written to %s", file_join(a, o->output, vs));
		return false;
	}
	if (one_file && strcmp(vs, ps) == 0) {
		join(both, r);
		add_output(a, to, file_join(a, o->output, vs), both);
		return true;
	}
	add_output(a, to, file_join(a, o->output, vs), &r->vs_text);
	add_output(a, to, file_join(a, o->output, ps), &r->ps_text);
	return true;
}

static void make_escaped(struct text *t, const char *path)
{
	for (; *path; path++) {
		if (*path == ' ' || *path == '#' || *path == '\\')
			text_char(t, '\\');
		if (*path == '$')
			text_char(t, '$');
		text_char(t, *path);
	}
}

static void dependencies(struct text *t, const struct run *r, const struct outputs *outputs)
{
	for (uint32_t i = 0; i < outputs->n; i++) {
		text_string(t, i ? " " : "");
		make_escaped(t, outputs->at[i].path);
	}
	text_char(t, ':');
	for (uint32_t i = 0; i < r->nsources; i++) {
		const struct source *s = &r->sources[i];
		if (strcmp(s->name, "-") != 0) {
			text_string(t, " ");
			make_escaped(t, s->name);
		}
		for (uint32_t k = 0; k < s->nmarks; k++) {
			bool named = strcmp(s->marks[k].file, s->name) == 0;
			for (uint32_t before = 0; before < k && !named; before++)
				named = strcmp(s->marks[before].file, s->marks[k].file) == 0;
			if (!named) {
				text_string(t, " ");
				make_escaped(t, s->marks[k].file);
			}
		}
	}
	text_char(t, '\n');
}

static const char *dependency_path(const struct options *o, const struct run *r)
{
	if (o->dep_file)
		return o->dep_file;
	const char *name = output_name(r, r->ps), *dot = strrchr(name, '.');
	size_t n = dot && dot != name ? (size_t)(dot - name) : strlen(name);
	return file_join(r->arena, o->output, arena_printf(r->arena, "%.*s.d", (int)n, name));
}

static bool report_output(const struct options *o, const struct run *r, struct text *t)
{
	json_t *pairs = json_array();
	json_array_append_new(pairs, report_pair(r));
	json_t *report = report_whole(pairs, &o->run);
	bool made = report_text(t, report);
	json_decref(report);
	return made;
}

static int exit_status(enum run_status s)
{
	switch (s) {
	case RUN_IMPROVED:
	case RUN_UNCHANGED: return EXIT_DONE;
	case RUN_REJECTED: return EXIT_REJECTED;
	case RUN_FAILED: return EXIT_FAULT;
	case RUN_NO_MEMORY: return EXIT_USAGE;
	}
	return EXIT_FAULT;
}

/* What of a done run is looked at goes to standard output, or beside it when the
 * programs or a report go there. */
static void show(const struct options *o, const struct run *r, struct text *t, bool colour)
{
	bool table = o->stats || (o->terminal && !o->quiet && !o->diff && !o->explain);
	if (o->diff)
		show_diff(t, r, colour);
	if (o->explain)
		show_explain(t, r, colour);
	if (table)
		show_table(t, r, colour);
}

static void say_fault(const struct run *r)
{
	message_error("%s: this is a fault of fpmove, and nothing was written", r->fault);
	message_error("the pair as it was is safe to use: %s and %s", shown_name(r->vs->source->name),
	              shown_name(r->ps->source->name));
}

static bool write_results(const struct options *o, const struct run *r, const char **why)
{
	struct arena *a = r->arena;
	struct outputs outputs = {0};
	struct text both = {.arena = a}, report = {.arena = a}, constants = {.arena = a}, dot = {.arena = a},
		    deps = {.arena = a};
	bool done = exit_status(r->status) == EXIT_DONE;
	if (done && o->output && !add_programs(o, r, &outputs, &both, why))
		return false;
	if (done && o->deps) {
		dependencies(&deps, r, &outputs);
		add_output(a, &outputs, dependency_path(o, r), &deps);
	}
	if (done && o->constants) {
		show_constants(&constants, r, o->constants);
		add_output(a, &outputs, o->constants, &constants);
	}
	if (done && o->dot) {
		show_dot(&dot, r);
		add_output(a, &outputs, o->dot, &dot);
	}
	if (o->report) {
		if (!report_output(o, r, &report)) {
			*why = "cannot make the report: out of memory";
			return false;
		}
		add_output(a, &outputs, o->report, &report);
	}
	for (uint32_t i = 1; i < outputs.n; i++)
		for (uint32_t k = 0; k < i; k++)
			if (strcmp(outputs.at[i].path, "-") != 0 && strcmp(outputs.at[i].path, outputs.at[k].path) == 0) {
				*why = arena_printf(a, "two different outputs would be written to %s", outputs.at[i].path);
				return false;
			}
	return files_write(a, outputs.at, outputs.n, why);
}

/* Runs the steps one after the other with a clock beside them. */
static void run_timed(struct run *r)
{
	for (unsigned i = 0; i < STEPS; i++) {
		struct timespec from, to;
		clock_gettime(CLOCK_MONOTONIC, &from);
		bool on = pipeline[i].run(r);
		clock_gettime(CLOCK_MONOTONIC, &to);
		fprintf(stderr, "fpmove: %-7s%10.1f us\n", pipeline[i].name,
		        1e6 * (double)(to.tv_sec - from.tv_sec) + 1e-3 * (double)(to.tv_nsec - from.tv_nsec));
		if (!on)
			return;
	}
}

static bool uses_stdout(const struct options *o)
{
	const char *const paths[] = {o->output, o->report, o->constants, o->dot};
	for (unsigned i = 0; i < sizeof paths / sizeof *paths; i++)
		if (paths[i] && strcmp(paths[i], "-") == 0)
			return true;
	return false;
}

int move_pair(struct arena *a, const struct options *o)
{
	const char *why = NULL;
	struct source *sources = arena_zero(a, o->files.n * sizeof *sources);
	struct run r;
	run_init(&r, a, sources, o->files.n, &o->run);
	for (uint32_t i = 0; i < o->files.n; i++) {
		if (!input_read(a, o->files.at[i], o, &sources[i], &r.diags, &why)) {
			message_error("%s", why);
			return EXIT_USAGE;
		}
	}
	if (!r.diags.errors) {
		if (o->verbose)
			run_timed(&r);
		else
			run_all(&r);
	}
	if (r.status == RUN_NO_MEMORY) {
		message_error("out of memory");
		return EXIT_USAGE;
	}
	struct text said = {.arena = a};
	message_diags(&said, &r.diags, o->colour_err, o->quiet);
	if (said.n)
		fwrite(said.at, 1, said.n, stderr);
	if (r.status == RUN_FAILED)
		say_fault(&r);
	bool beside = uses_stdout(o);
	if (!write_results(o, &r, &why)) {
		message_error("%s", why);
		return EXIT_USAGE;
	}
	struct text shown = {.arena = a};
	if (exit_status(r.status) == EXIT_DONE)
		show(o, &r, &shown, beside ? o->colour_err : o->colour_out);
	if (beside && shown.n) {
		fwrite(shown.at, 1, shown.n, stderr);
	} else if (!print_out(&shown, &why)) {
		message_error("%s", why);
		return EXIT_USAGE;
	}
	return exit_status(r.status);
}
