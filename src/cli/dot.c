/* --dot: the pixel program's dataflow graph.  An edge goes from the instruction that
 * wrote a lane to each one that reads it; edges from the moved part to the rest are
 * what the interpolators carry now: the cut. */
#include "cli/message.h"
#include "cli/show.h"
#include "lang/print.h"

#include <string.h>

enum { NOBODY = -1, TEMPS = 32 };

static void quoted(struct text *t, const char *s, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (s[i] == '"' || s[i] == '\\')
			text_char(t, '\\');
		if ((unsigned char)s[i] >= ' ')
			text_char(t, s[i]);
	}
}

static bool is_moved(const struct run *r, uint32_t k)
{
	return r->moved && (r->moved->fates[k].verdict == MOVE_MOVED ||
	                    (r->moved->fates[k].moved && !fate_kept_lanes(&r->ps->instrs.at[k], &r->moved->fates[k])));
}

static void edge(struct text *t, bool cut, const struct src *src, lanes carried)
{
	text_string(t, "[label=\"");
	print_register(t, (enum reg_file)src->file, src->index);
	text_char(t, '.');
	print_lanes(t, carried);
	text_printf(t, "\"%s];\n", cut ? ", color=red, fontcolor=red, style=bold" : "");
}

static void source_edges(struct text *t, const struct run *r, uint32_t k, const struct src *src, lanes read,
                         int (*writer)[LANES])
{
	if (src->file == REG_TEXCOORD || src->file == REG_INPUT || src->file == REG_CONST) {
		struct text name = {.arena = t->arena};
		print_register(&name, (enum reg_file)src->file, src->index);
		text_printf(t, "\t%s -> i%u ", name.at, (unsigned)k);
		edge(t, false, src, read);
		return;
	}
	if (src->file != REG_TEMP || src->index >= TEMPS)
		return;
	for (lanes left = read; left;) {
		unsigned first = 0;
		while (!(left >> first & 1))
			first++;
		int from = writer[src->index][first];
		lanes carried = 0;
		for (unsigned lane = first; lane < LANES; lane++)
			if (left >> lane & 1 && writer[src->index][lane] == from)
				carried |= (lanes)(1u << lane);
		left &= (lanes)~carried;
		if (from == NOBODY)
			continue;
		bool was_moved = is_moved(r, (uint32_t)from);
		/* A partly moved instruction sends its moved lanes across the cut. */
		bool cut = r->moved && (r->moved->fates[from].moved & carried || was_moved) && !is_moved(r, k);
		text_printf(t, "\ti%d -> i%u ", from, (unsigned)k);
		edge(t, cut, src, carried);
	}
}

void show_dot(struct text *t, const struct run *r)
{
	const struct program *p = r->ps;
	struct text line = {.arena = t->arena};
	int writer[TEMPS][LANES];
	for (unsigned i = 0; i < TEMPS; i++)
		for (unsigned lane = 0; lane < LANES; lane++)
			writer[i][lane] = NOBODY;
	text_string(t, "digraph \"");
	quoted(t, shown_name(p->source->name), strlen(shown_name(p->source->name)));
	text_string(t, "\" {\n\tnode [shape=box, fontname=\"monospace\"];\n"
	               "\t// filled: computed by the vertex program now; red: carried by interpolators\n");
	bool named[REG_FILES][256] = {{false}};
	for (uint32_t k = 0; k < p->instrs.n; k++) {
		const struct instr *i = &p->instrs.at[k];
		line.n = 0;
		print_instr(&line, i);
		text_printf(t, "\ti%u [label=\"", (unsigned)k);
		quoted(t, line.at, line.n);
		text_printf(t, "\"%s];\n", is_moved(r, k) ? ", style=filled, fillcolor=palegreen"
		                           : r->moved && r->moved->fates[k].moved ? ", style=filled, fillcolor=honeydew"
		                                                                  : "");
		for (unsigned s = 0; s < ops[i->op].sources; s++) {
			const struct src *src = &i->src[s];
			bool outside = src->file == REG_TEXCOORD || src->file == REG_INPUT || src->file == REG_CONST;
			if (outside && !named[src->file][src->index & 255]) {
				named[src->file][src->index & 255] = true;
				line.n = 0;
				print_register(&line, (enum reg_file)src->file, src->index);
				text_printf(t, "\t%s [shape=ellipse];\n", line.at);
			}
			source_edges(t, r, k, src, instr_reads(p, i, s), writer);
		}
		lanes written = instr_writes(i);
		if (i->dst.file == REG_TEMP && i->dst.index < TEMPS)
			for (unsigned lane = 0; lane < LANES; lane++)
				if (written >> lane & 1)
					writer[i->dst.index][lane] = (int)k;
	}
	text_string(t, "}\n");
}
