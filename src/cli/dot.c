/* --dot: writes the dataflow graph of the pixel program.  An edge leads from each instruction that may have written a lane to each one that
 * reads it.  Edges from moved instructions to the rest are the cut: interpolators carry them now.  A block of flow control is a cluster. */
#include "cli/graph.h"
#include "cli/message.h"
#include "cli/show.h"
#include "lang/print.h"

#include <string.h>

/* Writes text for a quoted string: escapes quotes and backslashes, and leaves out control characters. */
static void put_dot_string(struct text *t, const char *s, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (s[i] == '"' || s[i] == '\\')
			text_char(t, '\\');
		if ((unsigned char)s[i] >= ' ')
			text_char(t, s[i]);
	}
}

static void print_edge(struct text *t, const struct program *p, const struct graph_edge *e)
{
	text_char(t, '\t');
	if (e->from == GRAPH_REGISTER)
		print_register(t, p, (enum reg_file)e->file, e->index);
	else
		text_printf(t, "i%d", e->from);
	text_printf(t, " -> i%u [label=\"", (unsigned)e->to);
	print_register(t, p, (enum reg_file)e->file, e->index);
	text_char(t, '.');
	print_lanes(t, e->carried);
	text_printf(t, "\"%s];\n", e->cut ? ", color=red, fontcolor=red, style=bold" : "");
}

/* Returns the fill colour of an instruction: palegreen if all its lanes moved, honeydew if only some did, NULL if none did. */
static const char *fill_of(const struct instr_outcome *i)
{
	bool some = false;
	for (unsigned lane = 0; lane < LANES; lane++)
		some |= i->written >> lane & 1 && i->lane[lane].outcome == OUTCOME_MOVED;
	return i->outcome == OUTCOME_MOVED ? "palegreen" : some ? "honeydew" : NULL;
}

static void print_label(struct text *t, const struct program *p, uint32_t k)
{
	struct text line = {.arena = t->arena};
	print_instr(&line, p, &p->instrs.at[k]);
	text_string(t, "label=\"");
	put_dot_string(t, line.at, line.n);
	text_char(t, '"');
}

/* Closes the frames (blocks of flow control) that instruction k ends, and opens the one that it begins.  Returns true if there is one. */
static bool print_frames(struct text *t, const struct program *p, const struct graph_frames *frames, uint32_t k)
{
	bool bounds = false;
	for (uint32_t f = 0; f < frames->n; f++) {
		if (frames->at[f].last != k)
			continue;
		text_string(t, "\t}\n");
		bounds = true;
	}
	for (uint32_t f = 0; f < frames->n; f++) {
		if (frames->at[f].first != k)
			continue;
		text_printf(t, "\tsubgraph cluster%u {\n\tstyle=rounded; fontname=\"monospace\"; labeljust=l; ", (unsigned)k);
		print_label(t, p, k);
		text_string(t, ";\n");
		bounds = true;
	}
	return bounds;
}

static bool is_reader(const struct graph *g, uint32_t k)
{
	bool reads = false;
	for (uint32_t e = 0; e < g->n; e++)
		reads |= g->at[e].to == k;
	return reads;
}

void show_dot(struct text *t, const struct run *r)
{
	const struct program *p = r->ps;
	struct graph g = graph_find(t->arena, r, false);
	struct graph_frames const frames = graph_frames_find(t->arena, p);
	bool named[REG_FILES][256] = {{false}};
	text_string(t, "digraph \"");
	put_dot_string(t, shown_name(p->source->name), strlen(shown_name(p->source->name)));
	text_string(t, "\" {\n\tnode [shape=box, fontname=\"monospace\"];\n"
	               "\t// filled: computed before the pixel program now; red: carried by interpolators\n");
	for (uint32_t k = 0; k < p->instrs.n; k++) {
		if (print_frames(t, p, &frames, k) && !is_reader(&g, k))
			continue;
		text_printf(t, "\ti%u [", (unsigned)k);
		print_label(t, p, k);
		const char *fill = fill_of(&r->outcomes->at[k]);
		if (fill)
			text_printf(t, ", style=filled, fillcolor=%s];\n", fill);
		else
			text_string(t, "];\n");
	}
	for (uint32_t i = 0; i < g.n; i++) {
		const struct graph_edge *e = &g.at[i];
		if (e->from == GRAPH_REGISTER && !named[e->file][e->index & 255]) {
			named[e->file][e->index & 255] = true;
			text_char(t, '\t');
			print_register(t, p, (enum reg_file)e->file, e->index);
			text_string(t, " [shape=ellipse];\n");
		}
		print_edge(t, p, e);
	}
	text_string(t, "}\n");
}
