/* Handles vertex programs without a pixel program, see alone.h. */
#include "cli/alone.h"

#include "cli/guard.h"
#include "cli/message.h"
#include "cli/pairs.h"
#include "lang/bytecode.h"
#include "lang/check.h"

#include <string.h>

static bool reports_pair(const struct options *o)
{
	return o->report || o->csv || o->html || o->dot || o->constants || o->preshader;
}

const struct program *alone_vertex(struct arena *a, const struct options *o, const struct source *s)
{
	struct diags d;
	diag_init(&d, a);
	if (reports_pair(o))
		return NULL;
	struct program_list const list = parse_programs(a, s, &d);
	return !d.errors && list.n == 1 && program_stage(list.at[0]) == STAGE_VERTEX ? list.at[0] : NULL;
}

static bool write_source(struct arena *a, const struct options *o, const struct source *s, const char **why)
{
	struct outputs outputs = {0};
	struct text deps = {.arena = a};
	const char *name = strcmp(s->name, "-") ? file_base(s->name) : bytecode_is(s->text, s->size) ? "stdin.vso" : "stdin.vsh";
	bool const piped = strcmp(o->output, "-") == 0;
	if (!piped && !directory_make(a, o->output, why))
		return false;
	VEC_PUSH(a, &outputs) = (struct output){.path = piped ? "-" : file_join(a, o->output, name), .text = s->text,
	                                        .n = s->size, .replaces = s->name};
	if (o->deps) {
		add_dependencies(&deps, o, s, 1, &outputs);
		add_output(a, &outputs, dependency_path(a, o, name), &deps);
	}
	return guard_outputs(a, o, &outputs, s, 1, why) && files_write(a, outputs.at, outputs.n, why);
}

int alone_write(struct arena *a, const struct options *o, const struct program *p, const struct source *s)
{
	struct diags d;
	struct text said = {.arena = a};
	const char *why;
	diag_init(&d, a);
	check_program(p, &(struct check_options){.unwritten_warns = true, .device = &o->run.device}, &d);
	if (!d.errors)
		diag_add(&d, DIAG_NOTE, NULL, s, SRCPOS_NONE, "a vertex program without a pixel program is checked, and stays as it is");
	run_filter_warnings(&d, &o->run);
	message_diags(&said, &d, o->colour_err, o->quiet);
	say(&said);
	if (d.errors)
		return EXIT_REJECTED;
	if (!o->output || write_source(a, o, s, &why))
		return EXIT_DONE;
	return message_usage("%s", why);
}
