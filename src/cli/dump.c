/* Writes --dump, see dump.h. */
#include "cli/dump.h"

#include "cli/message.h"
#include "cli/show.h"
#include "lang/history.h"
#include "lang/print.h"
#include "move/dump/dump.h"

#include <string.h>

static const struct {
	const char *name;
	unsigned bits;
} words[] = {
	{"values", DUMP_VALUES}, {"alternatives", DUMP_ALTERNATIVES}, {"plan", DUMP_PLAN}, {"layout", DUMP_LAYOUT},
	{"passes", DUMP_PASSES}, {"all", DUMP_ALL},
};
enum { WORDS = sizeof words / sizeof *words };

bool dump_wanted(const char *given, unsigned *bits)
{
	for (const char *at = given; at; at = *at ? at + 1 : NULL) {
		size_t const n = strcspn(at, ",");
		unsigned k = 0;
		while (k < WORDS && (strlen(words[k].name) != n || strncmp(words[k].name, at, n) != 0))
			k++;
		if (k == WORDS)
			return message_error("--dump wants values, alternatives, plan, layout, passes or all, or several as plan,layout, not \"%.*s\"",
			                     (int)n, at);
		*bits |= words[k].bits;
		at += n;
	}
	return true;
}

/* Returns the declarations and instructions of a program as text, without comments. */
static struct text list_statements(struct arena *a, const struct program *p)
{
	struct text t = {.arena = a};
	for (uint32_t k = 0; k < p->decls.n; k++) {
		print_decl(&t, p, &p->decls.at[k]);
		text_char(&t, '\n');
	}
	for (uint32_t k = 0; k < p->instrs.n; k++) {
		print_instr(&t, p, &p->instrs.at[k]);
		text_char(&t, '\n');
	}
	return t;
}

static void changes_between(struct text *t, const struct program *old, const struct program *new)
{
	struct text const before = list_statements(t->arena, old), after = list_statements(t->arena, new);
	show_changes(t, &before, &after, "       ");
}

/* ---- alternatives ------------------------------------------------------------------------- */

static void show_rule(struct text *t, const struct history *h)
{
	const struct rewrite_info *rule = rule_named(h->pass);
	text_printf(t, "     %s", h->pass);
	if (rule)
		text_printf(t, " [%s]: %s", rule->tag, rule->what);
	text_char(t, '\n');
	changes_between(t, h->before->program, h->program);
}

static void show_rules(struct text *t, const struct history *h, const struct history *given)
{
	if (!h || h == given)
		return;
	show_rules(t, h->before, given);
	show_rule(t, h);
}

static void show_alternatives(struct text *t, const struct story *story)
{
	if (!story) {
		text_string(t, "       none: the pixel program is used as it is written\n");
		return;
	}
	if (story->before) {
		show_alternatives(t, story->before);
		text_string(t, "moved again:\n");
	}
	const struct planning *p = story->planning;
	for (uint32_t k = 0; k < p->ways.n; k++) {
		struct text name = {.arena = t->arena};
		way_name(&name, p, p->ways.at[k].ps);
		text_printf(t, "  %u. %s%s\n", (unsigned)k + 1, name.at, p->ways.at[k].sites ? ", chosen by the search where its values are read" : "");
		const struct history *h = p->ways.at[k].ps->history;
		show_rules(t, p->ways.at[k].sites && h ? h->before : h, p->given->ps->history);
		dump_sites(t, p, &p->ways.at[k]);
	}
}

/* ---- passes ---------------------------------------------------------------------------------- */

static void show_history(struct text *t, const struct history *h)
{
	if (h->before)
		show_history(t, h->before);
	unsigned const slots = program_total_slots(h->program);
	if (!h->before) {
		text_printf(t, "     %s: %u slots\n", h->pass, slots);
		return;
	}
	text_printf(t, "     %s: %u -> %u slots\n", h->pass, program_total_slots(h->before->program), slots);
	changes_between(t, h->before->program, h->program);
}

static void show_program_passes(struct text *t, const char *name, const struct program *p)
{
	if (!p->history)
		return;
	text_printf(t, "  %s\n", name);
	show_history(t, p->history);
}

/* ---- all ---------------------------------------------------------------------------------------- */

static void head(struct text *t, const char *what)
{
	text_printf(t, "== %s\n", what);
}

void show_dump(struct text *t, const struct run *r, unsigned bits)
{
	const struct story *story = r->moved ? r->moved->story : NULL;
	struct move_options const options = run_budgets(r);
	if (bits & DUMP_VALUES) {
		head(t, "values: the value that each lane of the pixel program holds");
		dump_values(t, r->vs, r->ps, &options, story);
	}
	if (bits & DUMP_ALTERNATIVES) {
		head(t, "alternatives: ways of writing the pixel program that compute the same");
		show_alternatives(t, story);
	}
	if (bits & DUMP_PLAN) {
		head(t, "plan: the search, the instructions that stay, and how they get the values that can move");
		dump_plan(t, r->moved ? r->moved->ps : NULL, story);
	}
	if (bits & DUMP_LAYOUT) {
		head(t, "layout: the value that each lane of each interpolator carries");
		dump_layout(t, r->vs, r->ps, r->vs_out, r->ps_out, story); /* vs_out and ps_out number the interpolators t# as the plan does */
	}
	if (bits & DUMP_PASSES) {
		head(t, "passes: the changes of each pass on the way to the new programs");
		show_program_passes(t, "pixel program", r->moved ? r->moved->ps : r->ps);
		show_program_passes(t, "vertex program", r->moved ? r->moved->vs : r->vs);
	}
}
