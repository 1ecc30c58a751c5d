/* --print: prints programs as assembly. */
#include "cli/fit.h"
#include "cli/message.h"
#include "cli/modes.h"
#include "cli/pairs.h"
#include "lang/effect_binary.h"
#include "lang/print.h"

/* Adds the programs of a file to `all`, and prints its diagnostics.  Returns the exit status: if that is not EXIT_DONE, no program was added. */
static int read_programs_to_print(struct arena *a, const struct options *o, const char *name, struct program_list *all)
{
	struct source *source = arena_zero(a, sizeof *source);
	struct options own = *o;
	struct text said = {.arena = a};
	struct diags d;
	const char *why;
	diag_init(&d, a);
	if (!file_read(a, name, source, &why))
		return message_usage("%s", why);
	own.effect |= effect_is_compiled(source->text, source->size);
	input_take(a, &own, source, &d);
	struct program_list list = {0};
	if (!d.errors)
		list = own.effect ? effect_programs(a, source, &own, &d) : parse_programs(a, source, &d);
	if (!d.errors && !list.n)
		diag_add(&d, DIAG_ERROR, NULL, source, SRCPOS_NONE, "no program here");
	for (uint32_t k = 0; k < list.n && !d.errors; k++)
		VEC_PUSH(a, all) = list.at[k];
	run_filter_warnings(&d, &o->run);
	message_diags(&said, &d, o->colour_err, o->quiet);
	say(&said);
	return d.errors ? EXIT_REJECTED : EXIT_DONE;
}

static void print_one(struct text *t, const struct program *p, bool named)
{
	struct slots const n = program_slots(p);
	struct text own = {.arena = t->arena};
	if (named) {
		const char *name = shown_name(p->source->name);
		text_string(t, "// ");
		text_visible(t, name, strlen(name));
		text_char(t, '\n');
	}
	print_program(&own, p);
	text_bytes(t, own.at, own.n);
	if (program_stage(p) == STAGE_PIXEL && models[p->model].tex)
		text_printf(t, "// %u slots: %u arithmetic, %u texture\n", n.arith + n.tex, n.arith, n.tex);
	else
		text_printf(t, "// %u slots\n", n.arith + n.tex);
}

int print_files(struct arena *a, const struct options *o)
{
	struct program_list all = {0};
	struct text t = {.arena = a};
	int worst = EXIT_DONE;
	for (uint32_t i = 0; i < o->files.n; i++) {
		int const status = read_programs_to_print(a, o, o->files.at[i], &all);
		worst = status > worst ? status : worst;
	}
	for (uint32_t k = 0; k < all.n; k++) {
		text_string(&t, k ? "\n" : "");
		print_one(&t, all.at[k], all.n > 1);
	}
	return t.n ? finish(&t, false, worst) : worst;
}
