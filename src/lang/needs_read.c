/* Reads the comments about constants that the application has to set, see needs.h. */
#include "lang/needs.h"

#include "lang/parse.h"
#include "lang/print_c.h"
#include "lang/span.h"

/* ---- expressions ----------------------------------------------------------------------- */

static bool source_is_sound(const struct program *p, const struct instr *i, unsigned s, const lanes written[NEEDS_TEMPS])
{
	const struct src *src = &i->src[s];
	if (src->relative || src->index < 0)
		return false;
	if (src->file == REG_TEMP)
		return src->index < NEEDS_TEMPS && !(instr_reads(p, i, s) & ~written[src->index]);
	return src->file == REG_CONST && (src->index < NEEDS_CONSTS || program_decl(p, REG_CONST, src->index));
}

/* Returns true if the program is arithmetic on constants, printable in C, that writes the lanes `of` of r0. */
static bool is_expression(const struct program *p, lanes of)
{
	lanes written[NEEDS_TEMPS] = {0};
	for (uint32_t k = 0; k < p->decls.n; k++)
		if (p->decls.at[k].kind != DECL_DEF || p->decls.at[k].reg.index < NEEDS_CONSTS)
			return false;
	for (uint32_t k = 0; k < p->instrs.n; k++) {
		const struct instr *i = &p->instrs.at[k];
		if (!print_c_knows(i) || instr_flows(i) || i->dst.file != REG_TEMP || i->dst.index >= NEEDS_TEMPS)
			return false;
		EACH_SOURCE(s, i)
			if (!source_is_sound(p, i, s, written))
				return false;
		written[i->dst.index] |= instr_writes(i);
	}
	return !(of & ~written[0]);
}

static const struct program *read_expression(struct arena *a, struct span code, lanes of)
{
	struct text t = {.arena = a};
	text_string(&t, "ps_2_sw\n");
	for (; code.at < code.end; code.at++)
		text_char(&t, *code.at == ';' ? '\n' : *code.at);
	struct source *source = arena_zero(a, sizeof *source);
	*source = (struct source){.name = "comment", .text = t.at, .size = t.n};
	struct diags said;
	diag_init(&said, a);
	struct program_list list = parse_programs(a, source, &said);
	return said.errors || list.n != 1 || !is_expression(list.at[0], of) ? NULL : list.at[0];
}

/* ---- reading --------------------------------------------------------------------------- */

/* Takes "c12" off the span.  Returns its number, or -1 if no constant stands there. */
static int take_const_number(struct span *s)
{
	return take(s, "c") ? take_number(s) : -1;
}

static lanes take_lane_letters(struct span *s)
{
	lanes of = 0;
	for (unsigned lane = 0; lane < LANES; lane++)
		if (take(s, (const char[]){"xyzw"[lane], '\0'}))
			of |= (lanes)(1u << lane);
	return of;
}

/* Returns the lanes of a constant that the program's instructions read, except by relative addressing. */
static lanes const_lanes_read(const struct program *p, int index)
{
	lanes read = 0;
	for (uint32_t k = 0; k < p->instrs.n; k++) {
		const struct instr *i = &p->instrs.at[k];
		EACH_SOURCE(s, i)
			if (i->src[s].file == REG_CONST && !i->src[s].relative && index >= i->src[s].index &&
			    index < i->src[s].index + (int)instr_rows(i, s))
				read |= instr_reads(p, i, s);
	}
	return read;
}

/* Takes " (g_scale)" off the span.  Returns the name, or NULL if none stands there. */
static const char *take_bracketed_name(struct arena *a, struct span *s)
{
	struct span from = *s;
	size_t const n = take(&from, " (") ? listing_name_length(from.at, from.end) : 0;
	if (!n || from.at + n == from.end || from.at[n] != ')')
		return NULL;
	s->at = from.at + n + 1;
	return arena_printf(a, "%.*s", (int)n, from.at);
}

/* Adds the need that a comment states to the program's needs, unless it sets a constant that the program does not read.  Returns NULL, or
 * the reason why the comment does not fit the program. */
static const char *read_need(struct arena *a, struct program *p, struct span said)
{
	bool vertex = program_stage(p) == STAGE_VERTEX;
	int index = take_const_number(&said), from;
	lanes of = index >= 0 && take(&said, ".") ? take_lane_letters(&said) : 0;
	if (index >= 0 && !of && take(&said, NEEDS_OWN) && said.at == said.end) {
		register_put_in(&p->needs.own, index);
		return NULL;
	}
	if (index < 0 || !take(&said, " = "))
		return "it does not say which constant is set to what";
	if (index >= models[p->model].consts)
		return "there is no such constant";
	if (program_decl(p, REG_CONST, index))
		return "that constant has a def";
	if (needs_sets(&p->needs, program_stage(p), index))
		return "another comment sets that constant";
	if (!program_reads(p, REG_CONST, index))
		return NULL;
	if (vertex && !of && take(&said, "ps ")) {
		from = take_const_number(&said);
		const char *name = take_bracketed_name(a, &said);
		if (from < 0 || from >= MOST_CONSTS || said.at != said.end)
			return "there is no such pixel constant";
		VEC_PUSH(a, &p->needs.consts) = (struct const_map){.vs = index, .ps = from, .name = name};
		return NULL;
	}
	const struct program *expr = of ? read_expression(a, said, of) : NULL;
	if (!expr)
		return "it does not say what the constant is set to";
	if (const_lanes_read(p, index) & ~of)
		return "the program reads other lanes of that constant, too";
	EACH_LANE(lane, of)
		VEC_PUSH(a, &p->needs.folds) = (struct folded){
			.stage = program_stage(p), .index = index, .lane = lane, .expr = expr, .temp = 0, .temp_lane = lane, .preset = true,
		};
	return NULL;
}

void needs_read(struct arena *a, struct program *p, struct diags *d)
{
	for (struct comment **link = &p->intro; *link;) {
		const struct comment *c = *link;
		struct span said = {c->text, c->text + c->length};
		while (said.end > said.at && is_blank(said.end[-1]))
			said.end--;
		if (!take(&said, NEEDS_MARK)) {
			link = &(*link)->next;
			continue;
		}
		const char *wrong = read_need(a, p, said);
		if (wrong)
			diag_add(d, DIAG_WARNING, "stale-comment", p->source, (srcpos)(c->text - p->source->text),
			         "this comment of an earlier run is left out: %s", wrong);
		*link = c->next;
	}
}
