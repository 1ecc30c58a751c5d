/* Parses a text, see parse.h: runs the lexer and the grammar, whose actions make statements, and completes the programs. */
#include "lang/bytecode.h"
#include "lang/encoding.h"
#include "lang/foreign.h"
#include "lang/lex.h"
#include "lang/link.h"
#include "lang/modifier.h"

#include "asm_parse.h"

/* Sorts the diagnostics from `first` on by position.  The lexer reports words before the parser reports the statement that they belong to. */
static void sort_diags_by_place(struct diags *d, uint32_t first)
{
	for (uint32_t i = first + 1; i < d->n; i++) {
		struct diag moving = d->at[i];
		uint32_t k = i;
		for (; k > first && d->at[k - 1].at > moving.at; k--)
			d->at[k] = d->at[k - 1];
		d->at[k] = moving;
	}
}

/* Moves the comments before the first statement to the program's intro, so that the program keeps them if that statement is removed. */
static void move_intro_comments(struct program *program)
{
	bool const decl_first = program->decls.n && program->decls.at[0].before == 0;
	struct comment **first = decl_first          ? &program->decls.at[0].comments
	                         : program->instrs.n ? &program->instrs.at[0].comments
	                                             : &program->intro;
	struct comment **link = &program->intro;
	for (struct comment *c = *first; c && !c->behind; c = c->next, *first = c) {
		*link = c;
		link = &c->next;
	}
	*link = NULL;
}

struct program_list parse_programs(struct arena *arena, const struct source *source, struct diags *diags)
{
	if (bytecode_is(source->text, source->size))
		source = bytecode_listing(arena, source, diags);
	struct parser p = {.arena = arena, .source = source, .diags = diags, .at_line_start = true};
	if (!source || !encoding_readable(source, diags) || (!source->bytecode && foreign_tell(source, diags)))
		return p.list;
	p.cursor = source->text;
	uint32_t errors = diags->errors, first = diags->n;
	p.pending = parse_comments(&p);
	p.current = NULL;
	yyparse(&p);
	/* The lists of comments are complete only now, since the lexer may read a statement's comments after the parser has reduced it. */
	for (uint32_t k = 0; k < p.list.n; k++) {
		struct program *program = p.list.at[k];
		program->head = program->head->next;
		for (uint32_t i = 0; i < program->decls.n; i++)
			program->decls.at[i].comments = program->decls.at[i].comments->next;
		for (uint32_t i = 0; i < program->instrs.n; i++)
			program->instrs.at[i].comments = program->instrs.at[i].comments->next;
		move_intro_comments(program);
		uint32_t const errors_before = diags->errors;
		program->text = model_links(program->model) ? program_copy(arena, program) : NULL;
		link_registers(program, diags);
		if (diags->errors == errors_before && !program_flows(program))
			modifier_expand(arena, program, diags);
	}
	if (p.program && p.current)
		p.program->tail = p.current->first.next;
	if (p.list.n == 0 && diags->errors == errors)
		diag_add(diags, DIAG_ERROR, "model", source, SRCPOS_NONE,
		         "no shader program here: it would start with vs_1_1 or ps_2_0");
	sort_diags_by_place(diags, first);
	if (source->bytecode && p.list.n == 1 && diags->errors == errors)
		bytecode_is_kept(arena, p.list.at[0], diags);
	return p.list;
}
