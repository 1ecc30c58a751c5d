/* Effect files through the command: each pass is a pair. */
#include "cli/effect.h"
#include "cli/message.h"
#include "cli/pairs.h"

#include <stdio.h>
#include <string.h>

static bool moves(struct arena *a, const struct asm_block *vs, const struct asm_block *ps)
{
	const char *v = effect_version(a, vs), *p = effect_version(a, ps);
	return (strcmp(v, "vs_1_1") == 0 || strcmp(v, "vs_2_0") == 0) && strncmp(p, "ps_2_", 5) == 0;
}

struct program_list effect_programs(struct arena *a, const struct source *file, struct diags *d)
{
	struct source *kept = arena_alloc(a, sizeof *kept);
	*kept = *file;
	struct effect e = effect_find(a, kept);
	struct program_list all = {0};
	for (uint32_t i = 0; i < e.blocks.n; i++) {
		struct program_list some = parse_programs(a, &e.blocks.at[i].source, d);
		for (uint32_t k = 0; k < some.n; k++)
			VEC_PUSH(a, &all) = some.at[k];
	}
	return all;
}

struct runs {
	VEC(struct run);
};

/* One pass: runs it when its programs are ours to move. */
static void run_pass(struct arena *a, const struct options *o, struct effect *e, const struct effect_pass *pass,
                     struct runs *runs, struct diags *notes)
{
	const char *name = pass->name ? pass->name : "without a name", *left = NULL;
	if (pass->vs == NO_BLOCK || pass->ps == NO_BLOCK)
		left = "its programs are not both asm blocks";
	else if (!moves(a, &e->blocks.at[pass->vs], &e->blocks.at[pass->ps]))
		left = "it is no vs_1_1 or vs_2_0 with a ps_2_x program";
	else if (e->blocks.at[pass->vs].passes > 1 || e->blocks.at[pass->ps].passes > 1)
		left = "another pass uses one of its programs";
	if (left) {
		diag_add(notes, DIAG_NOTE, NULL, e->source, pass->at, "pass %s is left as it is: %s", name, left);
		return;
	}
	struct source *sources = arena_alloc(a, 2 * sizeof *sources);
	sources[0] = e->blocks.at[pass->vs].source;
	sources[1] = e->blocks.at[pass->ps].source;
	struct run *r = &VEC_PUSH(a, runs);
	run_init(r, a, sources, 2, &o->run);
	run_steps(r, o);
	if (run_exit_status(r->status) == EXIT_DONE) {
		e->blocks.at[pass->vs].rewritten = r->vs_text.at;
		e->blocks.at[pass->ps].rewritten = r->ps_text.at;
	}
}

static const char *effect_path(struct arena *a, const struct options *o)
{
	if (strcmp(o->output, "-") == 0)
		return "-";
	const char *name = o->files.at[0];
	return file_join(a, o->output, strcmp(name, "-") == 0 ? "stdin.fx" : file_base(name));
}

static bool write_effect(struct arena *a, const struct options *o, const struct effect *e, const struct runs *runs,
                         int status, const char **why)
{
	struct outputs outputs = {0};
	struct text t = {.arena = a};
	if (status == EXIT_DONE && o->output) {
		if (strcmp(o->output, "-") != 0 && !directory_make(a, o->output, why))
			return false;
		text_bytes(&t, "", 0);
		effect_print(&t, e);
		add_output(a, &outputs, effect_path(a, o), &t);
	}
	return add_report(a, runs->at, runs->n, o, &outputs, why) && write_outputs(a, &outputs, why);
}

int move_effect(struct arena *a, const struct options *o)
{
	struct source file;
	struct diags notes;
	const char *why;
	diag_init(&notes, a);
	if (!file_read(a, o->files.at[0], &file, &why)) {
		message_error("%s", why);
		return EXIT_USAGE;
	}
	file_judge(&file, &notes);
	struct effect e = effect_find(a, &file);
	struct runs runs = {0};
	for (uint32_t i = 0; !notes.errors && i < e.passes.n; i++)
		run_pass(a, o, &e, &e.passes.at[i], &runs, &notes);
	if (!notes.errors && !runs.n)
		diag_add(&notes, DIAG_ERROR, NULL, &file, SRCPOS_NONE, "no pass whose two programs are asm blocks to move");
	struct text said = {.arena = a}, shown = {.arena = a};
	message_diags(&said, &notes, o->colour_err, o->quiet || !(o->verbose || notes.errors));
	int worst = notes.errors ? EXIT_REJECTED : EXIT_DONE;
	bool beside = uses_stdout(o);
	for (uint32_t i = 0; i < runs.n; i++) {
		struct run *r = &runs.at[i];
		int status = run_exit_status(r->status);
		say_run(r, o, &said);
		if (!look_at_run(r, o, &shown, beside ? o->colour_err : o->colour_out, &said))
			status = EXIT_FAULT;
		worst = status > worst ? status : worst;
	}
	say(&said);
	if (!write_effect(a, o, &e, &runs, worst, &why)) {
		message_error("%s", why);
		return EXIT_USAGE;
	}
	return finish(&shown, beside, worst);
}
