/* The page of --html: a fixed head and tail (page.html, page_tail.html), and the pairs as
 * JSON between them, from which the page draws its table and its figures. */
#include "cli/html.h"

#include "cli/graph.h"
#include "cli/report.h"
#include "cli/show.h"
#include "lang/print.h"

#include <limits.h>
#include <string.h>

static const char *const head[] = {
#include "page.inc"
};
static const char *const tail[] = {
#include "page_tail.inc"
};

enum { MOST_STAGES = 40 };

static void lines(struct stream *s, const char *const *line, size_t n)
{
	for (size_t i = 0; i < n; i++)
		stream_write(s, line[i], strlen(line[i]));
}

void html_head(struct stream *s)
{
	lines(s, head, sizeof head / sizeof *head);
	stream_write(s, "[\n", 2);
}

void html_between(struct stream *s)
{
	stream_write(s, ",\n", 2);
}

void html_tail(struct stream *s)
{
	stream_write(s, "\n]\n", 3);
	lines(s, tail, sizeof tail / sizeof *tail);
}

/* Slots of both programs when only the first k instructions may move. */
static json_t *frontier(const struct run *r)
{
	json_t *points = json_array();
	unsigned all = r->moved ? r->moved->moved : 0, step = all > MOST_STAGES ? (all + MOST_STAGES - 1) / MOST_STAGES : 1;
	for (unsigned k = 0;; k = k + step < all ? k + step : all) {
		struct arena arena;
		struct run_options o = *r->options;
		struct run stage;
		arena_init(&arena, NULL);
		o.given |= GIVEN_MAX_MOVES;
		o.move.max_moves = k;
		run_init(&stage, &arena, r->sources, r->nsources, &o);
		run_all(&stage);
		if (stage.status == RUN_IMPROVED || stage.status == RUN_UNCHANGED)
			json_array_append_new(points, json_pack("[i,i]", (int)stage.vs_after.slots, (int)stage.ps_after.slots));
		arena_free(&arena);
		if (stage.status == RUN_NO_MEMORY) {
			json_decref(points);
			arena_fail(r->arena);
		}
		if (k == all)
			return points;
	}
}

static json_t *instructions(const struct run *r)
{
	json_t *list = json_array();
	for (uint32_t k = 0; k < r->ps->instrs.n; k++) {
		struct text line = {.arena = r->arena}, why = {.arena = r->arena};
		const struct instr *i = &r->ps->instrs.at[k];
		print_instr(&line, i);
		const struct fate *f = r->moved ? &r->moved->fates[k] : NULL;
		if (f)
			show_fate(&why, r, i, f);
		else
			text_string(&why, "nothing moves at -O0");
		json_array_append_new(list, json_pack("{s:i,s:s,s:s,s:i}", "line", (int)source_line(r->ps->source, i->at),
		                                      "text", line.at, "why", why.at, "state",
		                                      graph_moved(r, k) ? 1 : f && f->moved ? 2 : 0));
	}
	return list;
}

static json_t *edges(const struct run *r)
{
	json_t *list = json_array();
	struct graph g = graph_find(r->arena, r);
	for (uint32_t i = 0; i < g.n; i++) {
		struct text carried = {.arena = r->arena};
		print_register(&carried, (enum reg_file)g.at[i].file, g.at[i].index);
		text_char(&carried, '.');
		print_lanes(&carried, g.at[i].carried);
		json_array_append_new(list, json_pack("[i,i,s,b]", g.at[i].from, (int)g.at[i].to, carried.at, g.at[i].cut));
	}
	return list;
}

/* Both programs as their files have them, so that line numbers are the files'. */
static json_t *two_texts(const struct run *r, const struct source *before, const struct text *after)
{
	return json_pack("[o,o]", report_string(r->arena, before->text), report_string(r->arena, after->at));
}

void html_pair(struct text *t, const struct run *r)
{
	json_t *pair = report_pair(r);
	if (r->status == RUN_IMPROVED || r->status == RUN_UNCHANGED) {
		json_object_set_new(pair, "text", json_pack("{s:o,s:o}", "vs", two_texts(r, r->vs->source, &r->vs_text), "ps",
		                                            two_texts(r, r->ps->source, &r->ps_text)));
		json_object_set_new(pair, "instrs", instructions(r));
		json_object_set_new(pair, "graph", edges(r));
		json_object_set_new(pair, "frontier", frontier(r));
	}
	struct text line = {.arena = t->arena};
	report_line(&line, pair);
	/* A script element ends at the first </, even in a string. */
	for (size_t i = 0; i < line.n; i++) {
		if (line.at[i] == '<')
			text_string(t, "\\u003c");
		else
			text_char(t, line.at[i]);
	}
}
