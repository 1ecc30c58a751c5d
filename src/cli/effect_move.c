/* Effect files through the command: each pass is a pair. */
#include "cli/guard.h"
#include "cli/message.h"
#include "cli/pairs.h"
#include "cli/remedy.h"
#include "cli/show.h"
#include "lang/effect.h"
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

struct runs {
	VEC(struct run);
};

/* What the effect, or the application, must set from now on. */
static void note_constants(const struct run *r, const struct effect *e, const struct effect_pair *pair, const struct options *o,
                           struct diags *notes)
{
	struct text t = {.arena = r->arena};
	if (!constants_untold(r, o))
		return;
	struct needs const by_register = needs_named(r->arena, &r->needs, false);
	show_needs(&t, &by_register, " ");
	diag_add(notes, DIAG_WARNING, "constants", e->file, pair->pass ? pair->pass->at : e->blocks.at[pair->vs].at,
	         "this pass now needs %s; --report writes the list, --drop-in asks for none", t.at);
}

/* One pair; its new programs, if any, go to `programs`. */
static void run_effect_pair(struct arena *a, const struct options *o, const struct effect *e, const struct effect_pair *pair,
                            struct runs *runs, struct text *programs, struct diags *notes)
{
	struct source *sources = arena_alloc(a, 2 * sizeof *sources);
	sources[0] = e->blocks.at[pair->vs].source;
	sources[1] = e->blocks.at[pair->ps].source;
	struct run *r = &VEC_PUSH(a, runs);
	run_init(r, a, sources, 2, &o->run);
	run_steps(r, o);
	find_remedy(r, o);
	find_shown_hints(r, 1, o);
	if (run_exit_status(r->status) != EXIT_DONE)
		return;
	note_constants(r, e, pair, o, notes);
	programs[pair->vs] = r->vs_text;
	programs[pair->ps] = r->ps_text;
}

/* "blur.fx:12: technique t pass p", for a line that tools find the place by. */
static const char *pair_name(struct arena *a, const struct effect *e, const struct effect_pair *pair)
{
	const char *file = shown_name(e->file->name);
	if (e->compiled)
		return arena_printf(a, "%s: technique %s pass %s", file, pair->pass->technique, pair->pass->name);
	uint32_t const line = source_line(e->file, pair->pass ? pair->pass->at : e->blocks.at[pair->vs].at);
	if (!pair->pass)
		return arena_printf(a, "%s:%u", file, (unsigned)line);
	return arena_printf(a, "%s:%u: technique %s pass %s", file, (unsigned)line, pair->pass->technique, pair->pass->name);
}

static void name_pair(struct text *t, const struct effect *e, const struct effect_pair *pair)
{
	if (pair->pass)
		text_printf(t, "== %s %s\n", pair->pass->technique, pair->pass->name);
	else
		text_printf(t, "== line %u\n", (unsigned)source_line(e->file, e->blocks.at[pair->vs].at));
}

static const char *output_name(const struct options *o, const struct effect *e)
{
	const char *name = o->files.at[0];
	return strcmp(name, "-") != 0 ? file_base(name) : e->compiled ? "stdin.fxo" : "stdin.fx";
}

/* What the rewritten file was made of. */
static struct source sources_of(const struct effect *e)
{
	struct source s = *e->file;
	s.includes = e->includes;
	s.nincludes = e->nincludes;
	return s;
}

static bool same_source(const struct source *a, const struct source *b)
{
	return a->size == b->size && (a->size == 0 || memcmp(a->text, b->text, a->size) == 0);
}

/* The rewritten file, read again: its pairs are those of the old one, they are proven as they stand there, and no other
 * program has changed.  The run that a fault came to light in; NULL: none. */
static struct run *unproven(struct arena *a, const struct options *o, const struct effect *e, const struct text *t,
                            const struct text *programs, const struct runs *runs)
{
	struct diags said;
	diag_init(&said, a);
	struct source const file = {.name = e->file->name, .text = t->at, .size = t->n};
	const struct preprocess_options options = options_preprocess(o);
	struct effect *new = effect_read(a, &file, &options, &said);
	bool same = new && effect_find_pairs(a, new, &said) && new->blocks.n == e->blocks.n && new->pairs.n == e->pairs.n;
	for (uint32_t i = 0; same && i < e->blocks.n; i++)
		same = programs[i].n || same_source(&new->blocks.at[i].source, &e->blocks.at[i].source);
	for (uint32_t i = 0; i < runs->n; i++) {
		const struct effect_pair *pair = &e->pairs.at[i];
		bool there = same && new->pairs.at[i].vs == pair->vs && new->pairs.at[i].ps == pair->ps;
		const struct source *vs = there ? &new->blocks.at[pair->vs].source : NULL;
		const struct source *ps = there ? &new->blocks.at[pair->ps].source : NULL;
		struct text const bytes[2] = {{.at = there ? arena_copy(a, vs->text, vs->size) : NULL, .n = there ? vs->size : 0},
		                              {.at = there ? arena_copy(a, ps->text, ps->size) : NULL, .n = there ? ps->size : 0}};
		struct source *written = arena_alloc(a, 2 * sizeof *written);
		if (!run_proves(&runs->at[i], &bytes[0], &bytes[1]))
			return &runs->at[i];
		for (unsigned k = 0; k < 2 && !e->compiled; k++) {
			written[k] = k ? *ps : *vs;
			written[k].text = bytes[k].at;
		}
		runs->at[i].vs_written = e->compiled ? NULL : &written[0];
		runs->at[i].ps_written = e->compiled ? NULL : &written[1];
	}
	return NULL;
}

/* The new file, where it is written or its lines are named.  False: it is not proven. */
static bool rewrite(struct arena *a, const struct options *o, const struct effect *e, const struct text *programs,
                    const struct runs *runs, struct text *to, struct text *said)
{
	text_bytes(to, "", 0);
	if (!o->output && !o->run.outcomes)
		return true;
	effect_rewrite(to, e, programs);
	struct run *wrong = unproven(a, o, e, to, programs, runs);
	if (wrong)
		say_fault(wrong, o, said);
	return !wrong;
}

static bool write_effect(struct arena *a, const struct options *o, const struct effect *e, const struct text *new,
                         const struct runs *runs, int status, const char **why)
{
	struct outputs outputs = {0};
	struct text deps = {.arena = a};
	if (status == EXIT_DONE && o->output) {
		bool out = strcmp(o->output, "-") == 0;
		if (!out && !directory_make(a, o->output, why))
			return false;
		add_program(a, &outputs, out ? "-" : file_join(a, o->output, output_name(o, e)), new, e->file);
	}
	if (status == EXIT_DONE && o->deps) {
		struct source const from = sources_of(e);
		add_dependencies(&deps, &from, 1, &outputs);
		add_output(a, &outputs, dependency_path(a, o, output_name(o, e)), &deps);
	}
	clean_folders(a, o, &outputs);
	add_report(a, runs->at, runs->n, o, &outputs);
	add_csv(a, runs->at, runs->n, o, &outputs);
	if (!make_report_folders(a, o, why))
		return false;
	struct source const from = e ? sources_of(e) : (struct source){.name = o->files.at[0]};
	return guard_outputs(a, o, &outputs, &from, 1, why) && write_outputs(a, &outputs, why);
}

int move_effect(struct arena *a, const struct options *given)
{
	struct options own = *given, *o = &own;
	struct source read;
	const struct source *file = &read;
	struct diags notes;
	const char *why;
	diag_init(&notes, a);
	if (!file_read(a, o->files.at[0], &read, &why)) {
		message_error("%s", why);
		return EXIT_USAGE;
	}
	file_judge(file, &notes);
	const struct preprocess_options options = options_preprocess(o);
	struct effect *e = notes.errors ? NULL : effect_read(a, file, &options, &notes);
	/* Nobody but the effect sets its constants, and by their names. */
	own.run.by_name = e && e->compiled ? &e->parameters : NULL;
	own.run.one_text &= !(e && e->compiled);
	struct runs runs = {0};
	struct text *programs = e ? arena_zero(a, (e->blocks.n + 1) * sizeof *programs) : NULL;
	if (e && effect_find_pairs(a, e, &notes))
		for (uint32_t i = 0; i < e->pairs.n; i++)
			run_effect_pair(a, o, e, &e->pairs.at[i], &runs, programs, &notes);
	run_filter_warnings(&notes, &o->run);
	struct text said = {.arena = a}, shown = {.arena = a};
	message_diags(&said, &notes, o->colour_err, o->quiet);
	int worst = notes.errors ? EXIT_REJECTED : EXIT_DONE;
	bool beside = options_use_stdout(o);
	struct text new = {.arena = a};
	for (uint32_t i = 0; i < runs.n; i++)
		worst = run_exit_status(runs.at[i].status) > worst ? run_exit_status(runs.at[i].status) : worst;
	if (worst == EXIT_DONE && !rewrite(a, o, e, programs, &runs, &new, &said))
		worst = EXIT_FAULT;
	for (uint32_t i = 0; i < runs.n; i++) {
		struct run *r = &runs.at[i];
		int status = run_exit_status(r->status);
		struct text part = {.arena = a};
		say_run(r, o, &said);
		if (!look_at_run(r, o, &part, beside ? o->colour_err : o->colour_out, &said))
			status = EXIT_FAULT;
		if (part.n)
			name_pair(&shown, e, &e->pairs.at[i]);
		text_bytes(&shown, part.at, part.n);
		if (o->check_moves && status == EXIT_DONE)
			status = check_moves(&shown, r, pair_name(a, e, &e->pairs.at[i]), o);
		worst = status > worst ? status : worst;
	}
	say(&said);
	if (!write_effect(a, o, e, &new, &runs, worst, &why)) {
		message_error("%s", why);
		return EXIT_USAGE;
	}
	return finish(&shown, beside, worst);
}
