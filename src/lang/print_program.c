/* Prints programs with their comments, see print.h. */
#include "lang/print.h"

#include "lang/modifier.h"
#include "lang/needs.h"
#include "lang/respell.h"

/* Prints a comment so that a C preprocessor can read the output: a `;` comment in which a block comment would begin becomes a `//` comment,
 * and a line comment loses backslashes and blanks at its end, since a backslash would join the next line to it. */
static void print_tame_comment(struct text *t, const struct comment *c)
{
	size_t length = c->length;
	bool block = length > 1 && c->text[1] == '*';
	const char *text = c->text;
	if (!block && text[0] == ';') {
		size_t i = 1;
		while (i + 1 < length && !(text[i] == '/' && (text[i + 1] == '*' || text[i + 1] == '/')))
			i++;
		if (i + 1 < length && text[i + 1] == '*') {
			text_string(t, "//");
			text++;
			length--;
		}
	}
	while (!block && length && (text[length - 1] == '\\' || text[length - 1] == ' ' ||
	                            text[length - 1] == '\t' || text[length - 1] == '\r'))
		length--;
	text_bytes(t, text, length);
}

static void print_comments_before(struct text *t, const struct comment *c)
{
	for (; c; c = c->next) {
		if (c->behind)
			continue;
		if (c->blank && t->n)
			text_char(t, '\n');
		print_tame_comment(t, c);
		text_char(t, '\n');
	}
}

static bool is_block(const struct comment *c)
{
	return c->length > 1 && c->text[1] == '*';
}

/* Prints the comments that follow a statement on its line, and the line end.  Block comments come first, since a line comment ends the line. */
static void print_comments_behind(struct text *t, const struct comment *list)
{
	for (int block = 1; block >= 0; block--) {
		for (const struct comment *c = list; c; c = c->next) {
			if (c->behind && is_block(c) == block) {
				text_char(t, ' ');
				print_tame_comment(t, c);
			}
		}
	}
	text_char(t, '\n');
}

static void print_head(struct text *t, const struct program *p, struct respell *r)
{
	print_comments_before(t, p->head);
	size_t const own = t->n;
	text_string(t, models[p->model].name);
	print_comments_behind(t, p->head);
	respell(r, t, 0, own, p->at, p->head);
}

static void print_comments_alone(struct text *t, const struct comment *list, struct respell *r)
{
	size_t const from = t->n;
	print_comments_before(t, list);
	respell(r, t, from, t->n, SRCPOS_NONE, list);
}

/* Prints the comments before a statement and, if `blank`, an empty line.  Returns the offset at which the statement itself begins. */
static size_t print_before(struct text *t, const struct comment *comments, bool blank)
{
	print_comments_before(t, comments);
	if (blank)
		text_char(t, '\n');
	return t->n;
}

enum { DEEPEST_INDENT = 32 };

/* Returns true if the printer indents the instructions behind the opcode. */
static bool opens_block(unsigned op)
{
	return op == OP_IF || op == OP_IFC || op == OP_ELSE || op == OP_REP || op == OP_LOOP || op == OP_LABEL;
}

/* Returns true if the opcode ends a block that opens_block() began. */
static bool closes_block(unsigned op)
{
	return op == OP_ELSE || op == OP_ENDIF || op == OP_ENDREP || op == OP_ENDLOOP || op == OP_RET;
}

/* Returns how many blocks enclose an instruction, and updates *depth, the number of open blocks. */
static unsigned level_of_instr(const struct instr *i, unsigned *depth)
{
	*depth -= *depth && closes_block(i->op);
	unsigned const level = *depth;
	*depth += opens_block(i->op);
	return level;
}

static void print_all(struct text *t, const struct program *p, struct respell *r)
{
	p = modifier_contracted(t->arena, p);
	print_head(t, p, r);
	print_comments_alone(t, p->intro, r);
	needs_print(t, &p->needs);
	for (uint32_t k = 0; k < p->decls.n; k++) {
		const struct decl *d = &p->decls.at[k];
		size_t const from = t->n, own = print_before(t, d->comments, d->blank);
		print_declared(t, p, d, p->source);
		print_comments_behind(t, d->comments);
		respell(r, t, from, own, d->at, d->comments);
	}
	unsigned depth = 0;
	for (uint32_t k = 0; k < p->instrs.n; k++) {
		const struct instr *i = &p->instrs.at[k];
		size_t const from = t->n, own = print_before(t, i->comments, i->blank);
		unsigned const level = level_of_instr(i, &depth);
		bool const indented = r->source && i->at != SRCPOS_NONE; /* respell() indents statements of the source */
		for (unsigned d = 0; d < level && d < DEEPEST_INDENT && !indented; d++)
			text_string(t, "  ");
		print_instr(t, p, i);
		print_comments_behind(t, i->comments);
		respell(r, t, from, own, i->at, i->comments);
		respell_indent(r, t, from, i->at, level);
	}
	print_comments_alone(t, p->tail, r);
}

void print_program(struct text *t, const struct program *p)
{
	print_all(t, p, &(struct respell){.source = NULL});
}

/* Fills r->level with the number of blocks around each instruction of `given`, the program of the source. */
static void note_levels(struct arena *arena, struct respell *r, const struct program *given)
{
	unsigned depth = 0;
	r->level = arena_zero(arena, r->source->size + 1);
	for (uint32_t k = 0; k < given->instrs.n; k++)
		respell_note(r, given->instrs.at[k].at, level_of_instr(&given->instrs.at[k], &depth));
}

void print_as_source(struct text *t, const struct program *p, const struct program *given, bool alone)
{
	struct respell r = {.source = respell_can(p->source) && t->n == 0 ? p->source : NULL};
	if (r.source && program_flows(given))
		note_levels(t->arena, &r, given);
	print_all(t, p, &r);
	respell_end(&r, t, alone);
}
