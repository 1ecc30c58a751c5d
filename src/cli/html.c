/* Writes the page of --html: a fixed head and tail (src/page/page.html with its styles and scripts), and for each pair a script element with two
 * lines of JSON.  The page parses the first line, for its table, at once, and the second when the pair is opened. */
#include "cli/html.h"

#include "cli/explain.h"
#include "cli/graph.h"
#include "cli/message.h"
#include "cli/report.h"
#include "cli/rides.h"
#include "fpmove.h"
#include "lang/print.h"
#include "system/process.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static const char *const head[] = {
#include "page_head.inc"
};
static const char *const tail[] = {
#include "page_tail.inc"
};

enum { MOST_STAGES = 40 };

/* Writes JSON on one line, with < escaped, since HTML ends a script element at the first </, even in a string.  Frees the JSON. */
static void add_json_line(struct text *t, struct arena *a, json_t *object)
{
	struct text line = {.arena = a};
	report_line(&line, object);
	for (size_t i = 0; i < line.n; i++) {
		if (line.at[i] == '<')
			text_string(t, "\\u003c");
		else
			text_char(t, line.at[i]);
	}
	text_char(t, '\n');
}

/* Returns the date of the page in days since 1970: that of SOURCE_DATE_EPOCH if it is set, so that a page can be made again, else today. */
static json_int_t day_of_page(void)
{
	const char *set = getenv("SOURCE_DATE_EPOCH");
	size_t const digits = set ? strspn(set, "0123456789") : 0;
	return (json_int_t)(digits && digits < 12 && !set[digits] ? strtoull(set, NULL, 10) : os_seconds()) / 86400;
}

void html_head(struct text *t, const struct options *o)
{
	for (size_t i = 0; i < sizeof head / sizeof *head; i++)
		text_string(t, head[i]);
	text_string(t, "<script type=\"application/json\" id=\"run\">");
	add_json_line(t, t->arena, json_pack("{s:s,s:I,s:s,s:i,s:o}", "fpmove", FPMOVE_VERSION, "day", day_of_page(), "target",
	                                     run_target_name(&o->run), "level", o->run.move.level, "options",
	                                     report_options(t->arena, o->deciding.at, o->deciding.n)));
	text_string(t, "</script>\n");
}

void html_tail(struct text *t, const struct totals *totals)
{
	text_string(t, "<script type=\"application/json\" id=\"sums\">");
	add_json_line(t, t->arena, report_totals(totals));
	text_string(t, "</script>\n");
	for (size_t i = 0; i < sizeof tail / sizeof *tail; i++)
		text_string(t, tail[i]);
}

/* A row of the paper's table of stages: slots of the new programs if at most `most` instructions may move. */
struct row {
	unsigned most; /* number of moves allowed */
	unsigned vs, ps; /* slots of the new programs */
};
struct rows {
	VEC(struct row);
};

/* Moves the pairs together by the paper's method (-O1), with at most `most` moves each.  Unless `rows` is NULL, adds a row to the table of each
 * pair whose slots differ from those of its last row.  Returns the largest number of moves of a pair. */
static unsigned move_stage(const struct run *const *runs, uint32_t n, bool same_vs, unsigned most, struct rows *rows)
{
	struct arena *a = runs[0]->arena;
	struct run *stages = arena_alloc(a, n * sizeof *stages), **each = arena_alloc(a, n * sizeof *each);
	struct run_options o = *runs[0]->options;
	if (!(o.given & GIVEN_MAX_MOVES) || o.move.max_moves > most)
		o.move.max_moves = most;
	o.given |= GIVEN_MAX_MOVES;
	o.move.level = 1;
	for (uint32_t i = 0; i < n; i++) {
		stages[i] = *runs[i];
		stages[i].options = &o;
		each[i] = &stages[i];
	}
	if (n > 1)
		run_move_together(each, n, same_vs, NULL);
	else
		pipeline[STEP_MOVE].run(each[0]);
	unsigned moved = 0;
	for (uint32_t i = 0; i < n; i++) {
		struct row row = {most, program_total_slots(stages[i].vs_out), program_total_slots(stages[i].ps_out)};
		const struct row *last = rows && rows[i].n ? &rows[i].at[rows[i].n - 1] : NULL;
		unsigned const own = stages[i].moved ? stages[i].moved->moved : 0;
		moved = own > moved ? own : moved;
		if (rows && (!last || last->vs != row.vs || last->ps != row.ps))
			rows[i].at[rows[i].n++] = row;
	}
	return moved;
}

/* Returns for each pair its slots by the number of moves allowed, in at most MOST_STAGES + 1 steps from none to all. */
static struct rows *stage_all(const struct run *const *runs, uint32_t n, bool same_vs)
{
	struct arena *a = runs[0]->arena;
	struct rows *rows = arena_zero(a, n * sizeof *rows);
	for (uint32_t i = 0; i < n; i++)
		rows[i].at = arena_alloc(a, (MOST_STAGES + 1) * sizeof *rows->at);
	struct arena_mark const mark = arena_mark(a);
	unsigned all = move_stage(runs, n, same_vs, UINT_MAX, NULL), step = (all + MOST_STAGES - 1) / MOST_STAGES;
	for (unsigned k = 0; k < all; k += step) {
		arena_release(a, mark);
		move_stage(runs, n, same_vs, k, rows);
	}
	arena_release(a, mark);
	move_stage(runs, n, same_vs, all, rows);
	arena_release(a, mark);
	return rows;
}

static json_t *frontier(const struct rows *rows)
{
	json_t *points = json_array();
	for (uint32_t k = 0; k < rows->n; k++)
		json_array_append_new(points, json_pack("[i,i,i]", (int)rows->at[k].most, (int)rows->at[k].vs, (int)rows->at[k].ps));
	return points;
}

/* The bytes of a source that hold one program. */
struct part {
	const struct source *source;
	srcpos from, to;
};

/* Returns the part of a file that holds program `p` of the run.  A file with both programs is split behind the line of the last instruction of
 * its first program. */
static struct part program_part(const struct run *r, const struct program *p)
{
	const struct program *first = r->vs->at <= r->ps->at ? r->vs : r->ps;
	const struct source *s = p->source;
	if (r->vs->source != r->ps->source)
		return (struct part){s, 0, (srcpos)s->size};
	srcpos cut = first->instrs.n ? first->instrs.at[first->instrs.n - 1].at : first->at;
	while (cut < s->size && s->text[cut++] != '\n')
		;
	return p == first ? (struct part){s, 0, cut} : (struct part){s, cut, (srcpos)s->size};
}

/* Lists the line number of each instruction of a program, counted from 1 at the start of its part of the file. */
static json_t *instr_lines(const struct program *p, struct part part)
{
	json_t *list = json_array();
	srcpos seen = part.from;
	int line = 1;
	for (uint32_t k = 0; k < p->instrs.n; k++) {
		for (; seen < p->instrs.at[k].at && seen < part.to; seen++)
			line += part.source->text[seen] == '\n';
		json_array_append_new(list, json_integer(line));
	}
	return list;
}

/* Lists, for each line of a program, its line number in the file before preprocessing. */
static json_t *file_lines(struct part part)
{
	const struct source *s = part.source;
	json_t *list = json_array();
	uint32_t line = s->first_line ? s->first_line : 1;
	bool starts = true;
	for (srcpos at = 0, m = 0; at < part.to; at++) {
		for (; m < s->nmarks && s->marks[m].at <= at; m++)
			line = s->marks[m].line;
		if (starts && at >= part.from)
			json_array_append_new(list, json_integer(line));
		starts = s->text[at] == '\n';
		line += starts;
	}
	return list;
}

/* Adds the keys "first", "numbers" and "at", which map lines of the page to lines of the files, if the two differ. */
static void add_file_lines(json_t *rest, const struct run *r)
{
	const struct source *vs = r->vs->source, *ps = r->ps->source;
	unsigned const first[2] = {explain_first_line(r, STAGE_VERTEX), explain_first_line(r, STAGE_PIXEL)};
	if (first[0] > 1 || first[1] > 1)
		json_object_set_new(rest, "first", json_pack("{s:i,s:i}", "vs", (int)first[0], "ps", (int)first[1]));
	if (vs != ps && !ps->nmarks && !vs->nmarks && ps->first_line < 2 && vs->first_line < 2)
		return;
	struct part const parts[2] = {program_part(r, r->vs), program_part(r, r->ps)};
	json_object_set_new(rest, "numbers", json_pack("{s:o,s:o}", "vs", file_lines(parts[0]), "ps", file_lines(parts[1])));
	json_object_set_new(rest, "at", instr_lines(r->ps, parts[1]));
}

/* Lists the edges between instructions as [from, to, "xy", "w"]: the lanes that `from` wrote, and the lanes that `to` computes from them. */
static json_t *edges(const struct run *r)
{
	json_t *list = json_array();
	struct graph g = graph_find(r->arena, r, true);
	for (uint32_t i = 0; i < g.n; i++) {
		struct text carried = {.arena = r->arena}, into = {.arena = r->arena};
		print_lanes(&carried, g.at[i].carried);
		print_lanes(&into, g.at[i].into);
		if (g.at[i].from != GRAPH_REGISTER)
			json_array_append_new(list, json_pack("[i,i,s,s]", g.at[i].from, (int)g.at[i].to, carried.at, into.at ? into.at : ""));
	}
	return list;
}

/* Lists blocks of flow control as [first, last]: the instructions that open and close each. */
static json_t *frames(const struct run *r)
{
	json_t *list = json_array();
	struct graph_frames const f = graph_frames_find(r->arena, r->ps);
	for (uint32_t k = 0; k < f.n; k++)
		json_array_append_new(list, json_pack("[i,i]", (int)f.at[k].first, (int)f.at[k].last));
	return list;
}

/* Returns a JSON list of two texts of a program: as given, and the new one. */
static json_t *two_texts(const struct run *r, const struct program *before, struct text after)
{
	struct part part = program_part(r, before);
	const char *text = arena_printf(r->arena, "%.*s", (int)(part.to - part.from), part.source->text + part.from);
	return json_pack("[o,o]", report_string(r->arena, text), report_string(r->arena, after.at));
}

/* Lists, each once, the rules in `kept` that keep instructions in the FP.  The page filters pairs by them. */
static json_t *rules_of(const json_t *kept)
{
	json_t *rules = json_object(), *list = json_array();
	for (size_t i = 0; i < json_array_size(kept); i++) {
		json_t *rule = json_object_get(json_array_get(kept, i), "rule");
		if (!json_object_get(rules, json_string_value(rule)))
			json_array_append(list, rule);
		json_object_set(rules, json_string_value(rule), rule);
	}
	json_decref(rules);
	return list;
}

static void move_key(json_t *from, json_t *to, const char *key)
{
	json_t *value = json_object_get(from, key);
	if (value)
		json_object_set(to, key, value);
	json_object_del(from, key);
}

/* Moves the reasons in "lines" to one list, "reasons", and replaces them by indices into it.  Removes the outcome of each line, since its lanes
 * have outcomes. */
static void share_reasons(json_t *rest)
{
	json_t *known = json_object(), *reasons = json_array(), *lines = json_object_get(rest, "lines");
	for (size_t i = 0; i < json_array_size(lines); i++) {
		json_t *line = json_array_get(lines, i), *entries = json_object_get(line, "lanes");
		json_object_del(line, "outcome");
		for (size_t k = 0; k < json_array_size(entries); k++) {
			json_t *entry = json_array_get(entries, k), *why = json_object_get(entry, "why");
			if (!why)
				continue;
			if (!json_object_get(known, json_string_value(why))) {
				json_object_set_new(known, json_string_value(why), json_integer((json_int_t)json_array_size(reasons)));
				json_array_append(reasons, why);
			}
			json_object_set(entry, "why", json_object_get(known, json_string_value(why)));
		}
	}
	json_object_set_new(rest, "reasons", reasons);
	json_decref(known);
}

/* Adds an excerpt of its source line to each diagnostic that has a place.  Used for a pair whose programs the page does not show. */
static void add_excerpts(json_t *diagnostics, const struct run *r)
{
	for (uint32_t k = 0; k < r->diags.n; k++) {
		const struct diag *d = &r->diags.at[k];
		if (!d->source || d->at == SRCPOS_NONE)
			continue;
		struct text excerpt = {.arena = r->arena};
		struct place place = source_place(d->source, d->at);
		message_place(&excerpt, &place, false);
		json_object_set_new(json_array_get(diagnostics, k), "excerpt", report_string(r->arena, excerpt.at));
	}
}

/* Writes the script element of a pair.  `rows` are its slots by number of moves; NULL if the pair was rejected or failed. */
static void add_pair_script(struct text *t, const struct run *r, const struct rows *rows)
{
	json_t *pair = report_pair(r), *rest = json_object();
	json_object_set_new(pair, "rules", rules_of(json_object_get(pair, "kept")));
	move_key(pair, rest, "diagnostics");
	move_key(pair, rest, "preshader");
	move_key(pair, rest, "lines");
	move_key(pair, rest, "hints");
	json_object_del(pair, "kept");
	json_object_del(pair, "moved");
	json_object_del(pair, "folded");
	if (rows) {
		json_object_set_new(rest, "text", json_pack("{s:o,s:o}", "vs", two_texts(r, r->vs, run_listing(r, STAGE_VERTEX)), "ps",
		                                            two_texts(r, r->ps, run_listing(r, STAGE_PIXEL))));
		share_reasons(rest);
		add_file_lines(rest, r);
		json_object_set_new(rest, "graph", edges(r));
		json_object_set_new(rest, "frames", frames(r));
		rides_add(rest, r);
		json_object_set_new(rest, "frontier", frontier(rows));
	} else {
		add_excerpts(json_object_get(rest, "diagnostics"), r);
	}
	text_string(t, "<script type=\"application/json\">");
	add_json_line(t, r->arena, pair);
	add_json_line(t, r->arena, rest);
	text_string(t, "</script>\n");
}

void html_pair(struct text *t, const struct run *r)
{
	static const struct rows none;
	add_pair_script(t, r, r->status == RUN_IMPROVED || r->status == RUN_UNCHANGED ? &none : NULL);
}

void html_pairs(struct text *t, const struct run *runs, uint32_t n, bool same_vs)
{
	const struct run **done = arena_alloc(runs[0].arena, n * sizeof *done);
	uint32_t ndone = 0, next = 0;
	for (uint32_t i = 0; i < n; i++)
		if (runs[i].status == RUN_IMPROVED || runs[i].status == RUN_UNCHANGED)
			done[ndone++] = &runs[i];
	static const struct rows none;
	const struct rows *rows = ndone && runs[0].options->move.level > 0 && !runs[0].stays ? stage_all(done, ndone, same_vs) : NULL;
	for (uint32_t i = 0; i < n; i++) {
		bool is_done = next < ndone && done[next] == &runs[i];
		add_pair_script(t, &runs[i], is_done ? rows ? &rows[next] : &none : NULL);
		next += is_done;
	}
}
