/* Writes one line per pair, see lines.h. */
#include "cli/lines.h"

#include "cli/fit.h"
#include "cli/message.h"
#include "cli/pairs.h"
#include "cli/report.h"

#include <string.h>

bool lines_wanted(const struct options *o)
{
	bool shows = o->stats || o->diff || o->explain;
	return !o->quiet && !shows && (o->verbose || (o->terminal && !options_use_stdout(o)));
}

static void line_of_program(struct text *t, const char *name, unsigned before, unsigned after)
{
	if (before == after)
		text_printf(t, "%s %3u         ", name, before);
	else
		text_printf(t, "%s %3u -> %-3u  ", name, before, after);
}

void line_of_pair(struct text *t, const struct run *r, const struct batch_pair *pair, const struct options *o)
{
	static const char red[] = "\033[31m", green[] = "\033[32m", off[] = "\033[m";
	enum { NAME_AT = 30, VP_AT = 16, ROOM_FOR_CONSTANTS = 64 };
	bool const done = run_is_done(r), beside = options_use_stdout(o);
	bool const colour = beside ? o->colour_err : o->colour_out;
	unsigned const columns = beside ? o->columns_err : o->columns, consts = done ? r->needs.consts.n : 0;
	struct text behind = {.arena = t->arena};
	text_string(&behind, "");
	if (consts && (!columns || columns >= ROOM_FOR_CONSTANTS))
		text_printf(&behind, " (%u constant%s)", consts, consts == 1 ? "" : "s");
	text_string(t, !colour || r->status == RUN_UNCHANGED ? "" : done ? green : red);
	if (done) {
		line_of_program(t, "FP", r->ps_before.slots, r->ps_after.slots);
		text_string(t, colour ? off : "");
		if (r->stands_in)
			text_printf(t, "%*s", VP_AT, "");
		else
			line_of_program(t, "VP", r->vs_before.slots, r->vs_after.slots);
	} else {
		text_printf(t, "%-*s%s", NAME_AT, report_status(r->status), colour ? off : "");
	}
	size_t const taken = NAME_AT + behind.n;
	fit_pair(t, r->vs ? r->vs->source->name : pair->vs, r->ps ? r->ps->source->name : pair->ps,
	         !columns ? 0 : columns - taken);
	text_printf(t, "%s\n", behind.at);
}

bool could_be_shorter(const struct run *r)
{
	if (!run_is_done(r))
		return false;
	struct costs const cost = run_costs(r);
	return r->ps_after.slots < r->ps_before.slots || (r->options->move.level >= 2 && cost.after < cost.before - 0.005);
}

void line_of_shorter(struct text *t, const struct run *r, const char *name, const struct options *o)
{
	struct text line = {.arena = t->arena};
	const struct measure *p0 = &r->ps_before, *p1 = &r->ps_after;
	struct costs const cost = run_costs(r);
	if (name)
		text_visible(&line, name, strlen(name));
	else
		fit_pair(&line, shown_name(r->vs->source->name), shown_name(r->ps->source->name), 0);
	if (p1->slots < p0->slots)
		text_printf(&line, ": %u of %u FP slots could be saved", p0->slots - p1->slots, p0->slots);
	else
		text_printf(&line, ": a pixel could cost %.1f instead of %.1f", cost.after, cost.before);
	if (!r->stands_in)
		text_printf(&line, " (VP slots %u -> %u)", r->vs_before.slots, r->vs_after.slots);
	fit_wrap(t, line.at, 0, 4, options_use_stdout(o) ? o->columns_err : o->columns);
	text_char(t, '\n');
}

/* Writes the first message "fpmove: error: ..." in `said`, without that head and on one line.  Writes nothing if there is none. */
static void first_message(struct text *t, const struct text *said)
{
	static const char head[] = "fpmove: error: ";
	const char *at = said->n ? strstr(said->at, head) : NULL;
	if (!at)
		return;
	for (at += sizeof head - 1; *at && (*at != '\n' || at[1] == ' '); at++)
		if (*at == '\n')
			at += strspn(at + 1, " ");
		else
			text_char(t, *at);
}

void line_of_trouble(struct text *t, const struct run *r, const struct batch_pair *pair, const struct text *said)
{
	text_printf(t, "  %s: ", report_status(r->status));
	if (message_first_error(t, &r->diags)) {
		if (r->diags.errors > 1)
			text_printf(t, " (and %u more)", (unsigned)r->diags.errors - 1);
	} else {
		fit_pair(t, pair->vs, pair->ps, 0);
		text_string(t, ": ");
		first_message(t, said);
	}
	text_char(t, '\n');
}

void trouble_add(struct trouble *trouble, const struct text *lines)
{
	for (const char *at = lines->n ? lines->at : ""; *at; trouble->n++) {
		size_t const n = strcspn(at, "\n");
		if (trouble->n < TROUBLES_LISTED) {
			size_t const kept = n < TROUBLE_BYTES ? n : TROUBLE_BYTES - 1;
			memcpy(trouble->line[trouble->n], at, kept);
			trouble->line[trouble->n][kept] = '\0';
		}
		at += n + (at[n] == '\n');
	}
}

void show_trouble(struct text *t, const struct trouble *trouble, const struct options *o)
{
	if (!trouble->n || o->quiet)
		return;
	size_t const from = t->n;
	text_printf(t, "not done, %u pair%s:\n", trouble->n, trouble->n == 1 ? "" : "s");
	for (unsigned i = 0; i < trouble->n && i < TROUBLES_LISTED; i++)
		text_printf(t, "%s\n", trouble->line[i]);
	if (trouble->n > TROUBLES_LISTED)
		text_printf(t, "  ... and %u more; --csv=FILE and --report=FILE tell of all pairs\n", trouble->n - TROUBLES_LISTED);
	fit_lines(t, from, 4, o->columns_err);
}

/* Returns true if two files that were passed over are listed together: they have the same form of message, and either the same reason or no
 * partner (each is then listed with its own reason). */
static bool same_group(const struct passed *x, const struct passed *y)
{
	return x->how == y->how && (x->how == PASSED_ALONE || strcmp(x->why, y->why) == 0);
}

static void show_reason(struct text *t, const struct passed *p, unsigned n)
{
	bool const one = n == 1;
	text_printf(t, "  %u %s%s", n, p->how == PASSED_LINE ? "line" : "file", one ? "" : "s");
	switch (p->how) {
	case PASSED_IS: text_printf(t, " %s %s", one ? "is" : "are", p->why); break;
	case PASSED_LOOKS: text_printf(t, " %s like %s", one ? "looks" : "look", p->why); break;
	case PASSED_LINE: text_printf(t, " %s %s", one ? "names" : "name", p->why); break;
	case PASSED_ALONE: text_string(t, " without a partner"); break;
	}
	text_char(t, '\n');
}

void show_passed(struct text *t, const struct collected *c, const struct options *o)
{
	uint32_t const n = c->passed.n;
	const struct passed *at = c->passed.at;
	size_t const from = t->n;
	bool *told = arena_zero(t->arena, n + 1);
	if (n)
		text_string(t, "passed over:\n");
	for (uint32_t i = 0; i < n; i++) {
		unsigned alike = 0;
		if (told[i])
			continue;
		for (uint32_t k = i; k < n; k++)
			alike += same_group(&at[i], &at[k]);
		show_reason(t, &at[i], alike);
		unsigned named = 0;
		for (uint32_t k = i; k < n; k++) {
			if (!same_group(&at[i], &at[k]))
				continue;
			told[k] = true;
			if (named++ >= NAMES_LISTED)
				continue;
			bool const own_line = at[k].how == PASSED_ALONE;
			text_string(t, named == 1 ? "    " : own_line ? "\n    " : ", ");
			text_visible(t, at[k].file, strlen(at[k].file));
			if (own_line)
				text_printf(t, ": %s", at[k].why);
		}
		if (alike > NAMES_LISTED)
			text_printf(t, " and %u more, which --report=FILE names", alike - NAMES_LISTED);
		text_char(t, '\n');
	}
	fit_lines(t, from, 4, o->columns_err);
}

json_t *report_passed(struct arena *a, const struct collected *c)
{
	json_t *all = json_array();
	for (uint32_t i = 0; i < c->passed.n; i++)
		json_array_append_new(all, json_pack("{s:o, s:o}", "file", report_name(a, c->passed.at[i].file), "reason", report_string(a, c->passed.at[i].why)));
	return all;
}
