/* Effect files, see effect.h.
 *
 * An effect file is mostly HLSL and render states.  Only the parts that show programs and their uses are read: braces, `technique` and
 * `pass`, assignments to vertexshader and pixelshader, and variables of these types.  Keywords come in any letter case. */
#include "lang/effect.h"

#include "lang/effect_binary.h"
#include "lang/effect_text.h"
#include "lang/encoding.h"
#include "lang/scan.h"

#include <string.h>

enum token { TOKEN_END, TOKEN_WORD, TOKEN_NUMBER, TOKEN_STRING, TOKEN_OTHER };

/* An assignment of a program in a pass, which resolve_references() resolves to a block when all variables are known. */
struct reference {
	uint32_t pass;
	enum stage stage;
	int block;         /* the block that stands in the pass, or EFFECT_UNCLEAR; unused if there is a `name` */
	const char *name;  /* the variable that is assigned, or NULL */
	uint32_t element;  /* index of the array element that is assigned */
	srcpos at;
};

enum { LONGEST_SHAPE = 8 };

/* The statement being read. */
struct statement {
	bool shader;       /* the statement has the word vertexshader or pixelshader */
	enum stage stage;
	size_t name, name_end; /* the declared variable, or in a pass the assigned one; equal if there is none yet */
	bool named;        /* `known` has the offset of the declared name */
	bool assigned;     /* '=' was seen */
	bool compiled;     /* `compile` was seen: the program is HLSL */
	bool null;         /* the statement assigns NULL to a shader in a pass */
	bool in_size;      /* the current token stands between [ and ] */
	bool odd;          /* a part of the statement was not understood */
	char shape[LONGEST_SHAPE + 1]; /* the tokens of an assignment in a pass: w for a word, n for a number, b for a block, other characters as
	                                * they are */
	unsigned shape_n;
	uint32_t blocks;   /* number of blocks before this statement */
	uint32_t element;  /* the element of the array that is being initialised, or the number in [] behind the assigned name */
	srcpos at;
};

/* An open parenthesis, which may belong to a call. */
struct call {
	size_t name, name_end; /* the word before the parenthesis; equal if there is none */
	bool commas;           /* a comma was seen between the parentheses */
};

struct reader {
	struct arena *arena;
	struct diags *diags;
	const struct source *file;
	struct effect *effect;
	struct { VEC(struct reference); } references;
	struct { VEC(struct call); } calls;
	struct { VEC(const char *); } macros; /* names of the macros that the file defines */
	struct effect_words known; /* offsets of the mentions of variables that are understood */
	size_t at, end;
	enum token last;     /* the kind of the token before the current one */
	size_t last_from, last_end; /* offsets in the file of the token before the current one */
	bool directive;      /* a preprocessor line stands before the current token */
	struct scan_line line; /* the line of the last literal */
	bool line_start;     /* only blanks stand before `at` on its line */
	bool directives;     /* the file has a line that starts with # */
	unsigned depth;      /* number of open braces */
	unsigned pass_depth; /* `depth` directly inside the braces of the current pass, or 0 outside of passes */
	const char *technique; /* name of the current technique, or NULL outside of techniques */
	bool opens_pass;     /* `pass` was read, but its brace was not */
	struct statement statement;
};

static const char directive_reason[] = "preprocessor lines stand in its text";

/* ---- tokens ---------------------------------------------------------------- */

/* Steps over the preprocessor line at r->at.  Keeps the name of a macro that it defines, and marks the current pass as unclear and the statement
 * as odd. */
static void read_directive(struct reader *r)
{
	static const char define[] = "define";
	const char *text = r->file->text, *word = text + r->at + 1;
	size_t stop = scan_logical_line_end(r->file, r->at);
	r->directives = r->directive = r->statement.odd = true;
	if (r->pass_depth)
		r->effect->passes.at[r->effect->passes.n - 1].unclear = true;
	word += strspn(word, " \t");
	if (strncmp(word, define, sizeof define - 1) == 0) {
		word += sizeof define - 1;
		word += strspn(word, " \t");
		VEC_PUSH(r->arena, &r->macros) = arena_copy(r->arena, word, effect_word_length(r->file, (size_t)(word - text)));
	}
	r->at = stop;
}

/* Reads the next token and the preprocessor lines before it.  The token is from *from to r->at. */
static enum token next_token(struct reader *r, size_t *from)
{
	const char *text = r->file->text;
	r->directive = false;
	while (r->at < r->end) {
		char c = text[r->at];
		size_t past = scan_comment(r->file, r->at, false);
		if (past > r->at) {
			r->at = past;
		} else if (c == '\n') {
			r->line_start = true;
			r->at++;
		} else if (c == ' ' || c == '\t' || c == '\r' || c == '\0') {
			r->at++;
		} else if (c == '#' && r->line_start) {
			read_directive(r);
		} else if (c == '\'') {
			r->at = scan_string(r->file, r->at);
		} else {
			break;
		}
	}
	r->line_start = false;
	*from = r->at;
	if (r->at >= r->end)
		return TOKEN_END;
	if (is_letter(text[r->at])) {
		r->at += effect_word_length(r->file, r->at);
		return TOKEN_WORD;
	}
	if (is_digit(text[r->at])) {
		while (r->at < r->end && (is_letter(text[r->at]) || is_digit(text[r->at]) || text[r->at] == '.'))
			r->at++;
		return TOKEN_NUMBER;
	}
	if (text[r->at] == '"') {
		r->at = scan_string(r->file, r->at);
		return TOKEN_STRING;
	}
	r->at++;
	return TOKEN_OTHER;
}

/* ---- blocks and passes ------------------------------------------------------- */

static struct effect_block *push_block(struct reader *r, enum effect_kind kind, size_t at, size_t from, size_t to)
{
	struct effect_block *b = &VEC_PUSH(r->arena, &r->effect->blocks);
	*b = (struct effect_block){.kind = (uint8_t)kind, .at = (srcpos)at, .from = (srcpos)from, .to = (srcpos)to,
	                           .model = MODEL_COUNT, .live = kind != EFFECT_ASM, .whole = true};
	return b;
}

static const char *statement_name(struct reader *r, const struct statement *s)
{
	return arena_copy(r->arena, r->file->text + s->name, s->name_end - s->name);
}

/* Sets `name` and `element` of a block to the variable that the current statement declares and the block initialises, if there is one. */
static void name_block(struct reader *r, struct effect_block *b)
{
	struct statement *s = &r->statement;
	if ((s->shader && r->pass_depth) || !s->assigned || s->name == s->name_end)
		return;
	b->name = statement_name(r, s);
	b->element = s->element;
	if (!s->named)
		VEC_PUSH(r->arena, &r->known) = (srcpos)s->name;
	s->named = true;
}

/* Reads a program in braces behind the word `asm` at `at`.  Returns false if no brace follows, or, with an error, if the brace is never closed. */
static bool read_block(struct reader *r, size_t at)
{
	const char *text = r->file->text;
	size_t from;
	bool directives = false;
	struct reader before = *r;
	if (next_token(r, &from) != TOKEN_OTHER || text[from] != '{') {
		*r = before;
		return false;
	}
	size_t to = from + 1;
	while (to < r->end && text[to] != '}') {
		size_t past = scan_comment(r->file, to, true);
		if (to == 0 || text[to - 1] == '\n') {
			size_t blank = to;
			while (blank < r->end && (text[blank] == ' ' || text[blank] == '\t'))
				blank++;
			directives |= blank < r->end && text[blank] == '#';
		}
		to = past > to ? past : to + 1;
	}
	if (to >= r->end) {
		diag_add(r->diags, DIAG_ERROR, "effect", r->file, (srcpos)at, "this asm block is never closed");
		r->at = r->end;
		return false;
	}
	r->at = to + 1;
	r->directives |= directives;
	struct effect_block *b = push_block(r, EFFECT_ASM, at, from + 1, to);
	name_block(r, b);
	if (directives)
		b->stays = directive_reason;
	return true;
}

/* ---- literals of C and C++ ----------------------------------------------------- */

/* Returns true if the call may make a new text of its arguments: by a part of the function's name, or since it is a macro of the file. */
static bool makes_text(const struct reader *r, const struct call *call)
{
	const char *name = r->file->text + call->name;
	size_t n = call->name_end - call->name;
	if (effect_makes_text(name, n))
		return true;
	for (uint32_t k = 0; k < r->macros.n; k++)
		if (strlen(r->macros.at[k]) == n && memcmp(r->macros.at[k], name, n) == 0)
			return true;
	return false;
}

/* Returns true if the current token begins an expression, as the token before it shows. */
static bool begins_expression(const struct reader *r)
{
	const char *text = r->file->text;
	if (r->directive)
		return false;
	if (r->last == TOKEN_WORD)
		return spells(text + r->last_from, r->last_end - r->last_from, "return");
	if (r->last != TOKEN_OTHER)
		return false;
	switch (text[r->last_from]) {
	case '=': return r->last_from > 0 && !strchr("=!<>+-*/%&|^", text[r->last_from - 1]);
	case '(':
	case ',': return r->calls.n == 0 || !makes_text(r, &r->calls.at[r->calls.n - 1]);
	case '{': return true;
	default: return false;
	}
}

/* Returns true if the expression ends at `at`.  If the expression is the only argument of a call, as in the conversion TEXT("..."), the expression
 * that holds the call must end, too. */
static bool ends_expression(const struct reader *r, size_t at)
{
	const char *text = r->file->text;
	struct reader ahead = *r;
	size_t from;
	ahead.at = at;
	for (uint32_t open = r->calls.n;;) {
		if (next_token(&ahead, &from) != TOKEN_OTHER || ahead.directive)
			return false;
		if (text[from] != ')')
			return strchr(";,}", text[from]) ||
			       (open < r->calls.n && strchr("=!&|", text[from]) && text[from + 1] && strchr("=&|", text[from + 1]));
		const struct call *call = open ? &r->calls.at[--open] : NULL;
		const char *name = call ? text + call->name : NULL;
		size_t const n = call ? call->name_end - call->name : 0;
		if (!call || call->commas || spells(name, n, "if") || spells(name, n, "while") || spells(name, n, "for") || spells(name, n, "switch"))
			return true;
	}
}

/* Returns true if the token before is the `=` of an array with a size, as in `name[80] = `, which a longer text may not fit. */
static bool has_fixed_size(const struct reader *r)
{
	const char *text = r->file->text;
	size_t at = r->last_from;
	if (r->last != TOKEN_OTHER || text[at] != '=')
		return false;
	while (at && strchr(" \t\r\n", text[at - 1]))
		at--;
	if (!at || text[--at] != ']')
		return false;
	while (at && strchr(" \t\r\n", text[at - 1]))
		at--;
	return at && text[at - 1] != '[';
}

static bool holds_trigraph(const struct source *s, size_t from, size_t to)
{
	bool any = false;
	for (size_t k = from; k + 2 < to && !any; k++)
		any = scan_trigraph(s->text + k);
	return any;
}

/* Returns the reason why the literals in bytes `from` to `to` - 1, whose text is `s`, may be only a part of a program or must not change, or NULL
 * if there is none.  `begins` tells if the literals begin an expression. */
static const char *not_whole(const struct reader *r, bool begins, const struct source *s, size_t from, size_t to)
{
	if (!begins)
		return "the code before its literals may add to it";
	if (!ends_expression(r, to))
		return "the code behind its literals may add to it";
	if (effect_counts_bytes(r->file, to, s->size))
		return "the number behind it is its length in bytes";
	if (has_fixed_size(r))
		return "its array has a fixed size";
	if (holds_trigraph(r->file, from, to))
		return "it holds a trigraph, such as ?\?/, which compilers read as one character or as three: write the second ? as \\?";
	if (memchr(s->text, '%', s->size))
		return "it holds a %, so it may be a format of printf";
	return NULL;
}

static void add_literal(struct reader *r, enum effect_kind kind, size_t at, size_t from, size_t to, struct source s, bool begins)
{
	const struct preprocess_options plain = {0};
	struct effect_block *b = push_block(r, kind, at, from, to);
	name_block(r, b);
	b->source = s;
	b->stays = not_whole(r, begins, &s, kind == EFFECT_LITERALS ? from : r->at, r->at);
	b->whole = !b->stays;
	if (b->whole && preprocess_wanted(&s, &plain))
		b->stays = directive_reason;
}

/* Steps over the adjacent literals at `at`, and adds a block if their text is a program, such as one for D3DXAssembleShader. */
static void read_literals(struct reader *r, size_t at)
{
	size_t to = at;
	struct source s = effect_literals(r->arena, r->file, &to, NULL);
	if (to > r->at)
		r->at = to;
	if (!effect_is_program(&s))
		return;
	to = at;
	s = effect_literals(r->arena, r->file, &to, &r->line);
	r->at = to;
	add_literal(r, EFFECT_LITERALS, at, at, to, s, begins_expression(r));
}

/* Adds a block for the raw literal R"MARK( ... )MARK" whose prefix is at `at`, if its text is a program.  Steps over it if it is closed. */
static void read_raw_literal(struct reader *r, size_t at)
{
	const char *text = r->file->text, *mark = text + r->at + 1;
	const char *open = memchr(mark, '(', r->end - r->at - 1 < 17 ? r->end - r->at - 1 : 17);
	if (!open)
		return;
	const char *close = arena_printf(r->arena, ")%.*s\"", (int)(open - mark), mark);
	const char *stop = strstr(open, close);
	if (!stop)
		return;
	size_t from = (size_t)(open + 1 - text), to = (size_t)(stop - text);
	r->at = to + strlen(close);
	if (effect_is_program(&(struct source){.text = text + from, .size = to - from}))
		add_literal(r, EFFECT_RAW_LITERAL, at, from, to, effect_slice(r->arena, r->file, from, to, &r->line),
		            begins_expression(r) && r->file->text[at] == 'R');
}

static bool has_shape(const struct statement *s, const char *const *shapes)
{
	for (; *shapes; shapes++)
		if (strcmp(s->shape, *shapes) == 0)
			return true;
	return false;
}

/* Adds a reference for an assignment in a pass, such as `vertexshader = ( name[2] )`. */
static void end_assignment(struct reader *r)
{
	static const char *const names[] = {"=w", "=(w)", "=<w>", "=w[n]", "=(w[n])", "=<w[n]>", NULL}, *const blocks[] = {"=b", NULL};
	struct statement *s = &r->statement;
	struct reference ref = {.pass = r->effect->passes.n - 1, .stage = s->stage, .block = EFFECT_UNCLEAR, .at = s->at};
	s->odd |= !has_shape(s, names) && !has_shape(s, blocks);
	if (!s->odd && has_shape(s, blocks)) {
		ref.block = (int)r->effect->blocks.n - 1;
	} else if (!s->odd) {
		ref.name = statement_name(r, s);
		ref.element = s->element;
		VEC_PUSH(r->arena, &r->known) = (srcpos)s->name;
	}
	VEC_PUSH(r->arena, &r->references) = ref;
}

static void end_statement(struct reader *r)
{
	struct statement *s = &r->statement;
	bool const assignment = s->shader && r->pass_depth && s->assigned;
	if (assignment)
		r->effect->passes.at[r->effect->passes.n - 1].sets[s->stage] = true;
	if (assignment && !s->compiled && !s->null)
		end_assignment(r);
	for (uint32_t k = s->blocks; s->shader && s->odd && k < r->effect->blocks.n; k++)
		if (!r->effect->blocks.at[k].stays)
			r->effect->blocks.at[k].stays = "it stands in a statement that is not understood";
	*s = (struct statement){.blocks = r->effect->blocks.n};
}

static const char *copy_word(struct reader *r, size_t from)
{
	return arena_copy(r->arena, r->file->text + from, r->at - from);
}

/* Reads and returns the name behind `technique` or `pass`.  Returns "" if no word follows. */
static const char *optional_name(struct reader *r)
{
	struct reader before = *r;
	size_t from;
	if (next_token(r, &from) == TOKEN_WORD)
		return copy_word(r, from);
	*r = before;
	return "";
}

/* Adds a token to the shape of the statement.  Sets `odd` (not understood) if it has more tokens than any known shape. */
static void add_shape(struct statement *s, char c)
{
	if (s->shape_n < LONGEST_SHAPE)
		s->shape[s->shape_n++] = c;
	else
		s->odd = true;
}

static void read_plain_word(struct reader *r, size_t from)
{
	const char *word = r->file->text + from;
	size_t n = r->at - from;
	struct statement *s = &r->statement;
	bool const in_pass = s->shader && r->pass_depth, null = spells(word, n, "null");
	if (in_pass)
		add_shape(s, 'w');
	if (s->shader && s->assigned && spells(word, n, "compile"))
		s->compiled = true;
	else if (in_pass && s->assigned && s->shape_n == 2 && null)
		s->null = true;
	else if (s->shader && s->assigned && !r->pass_depth)
		s->odd |= !null;
	if (in_pass ? s->assigned && s->name == s->name_end : !s->assigned && !s->in_size) {
		s->name = from;
		s->name_end = r->at;
	}
}

static void read_word(struct reader *r, size_t from)
{
	const char *word = r->file->text + from;
	size_t n = r->at - from;
	struct statement *s = &r->statement;
	if (spells(word, n, "asm")) {
		add_shape(s, read_block(r, from) ? 'b' : 'w');
	} else if (r->file->text[r->at] == '"' && word[n - 1] == 'R' && n <= 3) {
		read_raw_literal(r, from);
	} else if (!s->shader && spells(word, n, "technique") && r->depth == 0) {
		r->technique = optional_name(r);
	} else if (!s->shader && spells(word, n, "pass") && r->technique && !r->pass_depth) {
		VEC_PUSH(r->arena, &r->effect->passes) = (struct effect_pass){
			.technique = r->technique, .at = (srcpos)from, .to = (srcpos)r->end, .vs = EFFECT_NONE, .ps = EFFECT_NONE};
		const char *name = optional_name(r);
		r->effect->passes.at[r->effect->passes.n - 1].name = name;
		r->opens_pass = true;
	} else if (spells(word, n, "vertexshader") || spells(word, n, "pixelshader")) {
		*s = (struct statement){.shader = true, .odd = s->shader, .at = (srcpos)from, .blocks = s->blocks,
		                        .stage = *word == 'v' || *word == 'V' ? STAGE_VERTEX : STAGE_PIXEL};
		VEC_PUSH(r->arena, &r->known) = (srcpos)from;
	} else {
		read_plain_word(r, from);
	}
}

/* Steps over an annotation such as `< string s = "x"; int k = 1; >` from behind its `<`, so that its statements do not count.  Stays there if no
 * `>` follows. */
static void skip_annotation(struct reader *r)
{
	struct reader const before = *r;
	enum token token;
	size_t from;
	do
		token = next_token(r, &from);
	while (token != TOKEN_END && !(token == TOKEN_OTHER && r->file->text[from] == '>'));
	if (token == TOKEN_END)
		*r = before;
}

/* Returns the call that the current token, an opening parenthesis, begins, with an empty name if no word stands before it. */
static struct call called(const struct reader *r)
{
	return r->last == TOKEN_WORD ? (struct call){r->last_from, r->last_end, false} : (struct call){0};
}

static void add_operator(struct reader *r, char c)
{
	struct statement *s = &r->statement;
	if (s->shader && r->pass_depth)
		add_shape(s, c);
	else if (s->shader && s->assigned)
		s->odd |= !strchr("{},", c);
	s->in_size = c == '[' || (s->in_size && c != ']');
}

static void take_other(struct reader *r, char c)
{
	bool const heads = r->technique && r->depth == 0; /* the token stands between `technique` and its brace */
	bool const annotation = c == '<' && (r->statement.shader ? !r->statement.assigned : r->opens_pass || heads);
	if (!annotation && c != ';' && !(c == '}' && r->depth == r->pass_depth))
		add_operator(r, c);
	switch (c) {
	case '<':
		if (annotation)
			skip_annotation(r);
		break;
	case '(': VEC_PUSH(r->arena, &r->calls) = called(r); break;
	case ')': r->calls.n -= r->calls.n > 0; break;
	case '{':
		r->depth++;
		if (r->opens_pass) {
			r->opens_pass = false;
			r->pass_depth = r->depth;
		}
		break;
	case '}':
		if (r->pass_depth && r->depth == r->pass_depth) {
			end_statement(r);
			r->effect->passes.at[r->effect->passes.n - 1].to = (srcpos)r->at;
			r->pass_depth = 0;
		}
		if (r->depth)
			r->depth--;
		if (r->depth == 0 && !r->statement.assigned)
			r->technique = NULL;
		break;
	case ';': end_statement(r); break;
	case '=':
		r->statement.assigned = true;
		r->statement.element = 0;
		break;
	case ',':
		r->statement.element++;
		if (r->calls.n)
			r->calls.at[r->calls.n - 1].commas = true;
		break;
	default: break;
	}
}

static void take_number(struct reader *r, size_t from)
{
	struct statement *s = &r->statement;
	uint32_t value = 0;
	for (; from < r->at && is_digit(r->file->text[from]) && value < 100000; from++)
		value = value * 10 + (uint32_t)(r->file->text[from] - '0');
	if (s->shader && r->pass_depth)
		add_shape(s, 'n');
	if (!s->shader || !s->assigned)
		return;
	if (r->pass_depth)
		s->element = value;
	s->odd |= from < r->at || !r->pass_depth;
}

/* Returns the index of the block that a reference assigns, EFFECT_NONE if the file has no block of that name, or EFFECT_UNCLEAR if the assignment
 * is not understood. */
static int referenced_block(const struct effect *e, const struct reference *ref)
{
	int found = EFFECT_NONE;
	if (!ref->name)
		return ref->block;
	for (uint32_t k = 0; k < e->blocks.n; k++) {
		const struct effect_block *b = &e->blocks.at[k];
		if (b->name && b->element == ref->element && strcmp(b->name, ref->name) == 0)
			found = (int)k;
	}
	return found;
}

/* Sets the programs of each pass by the references.  Sets `stays` of a program that is assigned in an unclear pass, or in a pass that assigns more
 * than one program of its stage; that program of the pass is then EFFECT_UNCLEAR. */
static void resolve_references(struct reader *r)
{
	struct effect *e = r->effect;
	unsigned (*uses)[2] = arena_zero(r->arena, (e->passes.n + 1) * sizeof *uses);
	for (uint32_t i = 0; i < r->references.n; i++)
		uses[r->references.at[i].pass][r->references.at[i].stage == STAGE_PIXEL]++;
	for (uint32_t i = 0; i < r->references.n; i++) {
		const struct reference *ref = &r->references.at[i];
		struct effect_pass *pass = &e->passes.at[ref->pass];
		bool const pixel = ref->stage == STAGE_PIXEL;
		int block = referenced_block(e, ref);
		if (block >= 0 && (pass->unclear || uses[ref->pass][pixel] > 1)) {
			if (!e->blocks.at[block].stays)
				e->blocks.at[block].stays = arena_printf(r->arena, "line %u may draw with it or not",
				                                         (unsigned)source_line(e->file, ref->at));
			block = EFFECT_UNCLEAR;
		}
		*(pixel ? &pass->ps : &pass->vs) = block;
	}
}

struct effect *effect_read(struct arena *arena, const struct source *file, const struct preprocess_options *options,
                           struct diags *diags)
{
	uint32_t errors = diags->errors;
	if (effect_is_compiled(file->text, file->size))
		return effect_read_compiled(arena, file, diags);
	if (!encoding_readable(file, diags))
		return NULL;
	struct reader r = {.arena = arena, .diags = diags, .file = file, .line_start = true, .at = encoding_mark(file),
	                   .end = file->size, .effect = arena_zero(arena, sizeof *r.effect)};
	r.effect->file = file;
	scan_line_init(&r.line, file);
	enum token token;
	size_t from;
	for (; (token = next_token(&r, &from)) != TOKEN_END; r.last_from = from, r.last_end = r.at) {
		size_t const end = r.at;
		if (token == TOKEN_WORD)
			read_word(&r, from);
		else if (token == TOKEN_NUMBER)
			take_number(&r, from);
		else if (token == TOKEN_STRING)
			read_literals(&r, from);
		else
			take_other(&r, file->text[from]);
		/* To the next token, a block or literal that was read as a whole counts as neither a word nor an operator. */
		r.last = end == r.at ? token : TOKEN_END;
	}
	end_statement(&r);
	if (diags->errors != errors)
		return NULL;
	effect_find_uses(arena, r.effect, &r.known);
	bool assembly = false;
	for (uint32_t k = 0; k < r.effect->blocks.n; k++) {
		struct effect_block *b = &r.effect->blocks.at[k];
		assembly |= b->kind == EFFECT_ASM;
		if (b->kind != EFFECT_ASM && b->whole && !effect_expand_literal(arena, b, options, diags))
			return NULL;
	}
	bool const plain = !assembly || (!r.directives && !(options && options->ndefines));
	if (assembly && plain)
		effect_find_states(r.effect, file);
	/* Expand macros in asm blocks only: the C compiler does not expand them in literals. */
	if (plain)
		effect_cut(arena, r.effect);
	else if (!effect_expand(arena, r.effect, options, diags))
		return NULL;
	else
		effect_find_made_uses(arena, r.effect, &r.known, options);
	resolve_references(&r);
	for (uint32_t k = 0; k < r.effect->blocks.n; k++)
		if (r.effect->blocks.at[k].live)
			r.effect->blocks.at[k].model = effect_model(&r.effect->blocks.at[k].source);
	return diags->errors == errors ? r.effect : NULL;
}
