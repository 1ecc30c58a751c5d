/* Effect files, see effect.h.
 *
 * An effect file is mostly HLSL and render states.  Only as much of it is read as tells where
 * programs are and who uses them: braces, `technique` and `pass`, assignments to vertexshader
 * and pixelshader, and variables of these types.  Keywords come in any letter case. */
#include "lang/effect.h"

#include "lang/effect_binary.h"
#include "lang/effect_text.h"
#include "lang/encoding.h"
#include "lang/scan.h"

#include <string.h>

enum token { TOKEN_END, TOKEN_WORD, TOKEN_NUMBER, TOKEN_STRING, TOKEN_OTHER };

/* What a pass draws a stage with, until all variables are known. */
struct reference {
	uint32_t pass;
	enum stage stage;
	int block;         /* that stands in the pass, or EFFECT_UNCLEAR */
	const char *name;  /* of a variable, or NULL */
	uint32_t element;
	srcpos at;
};

enum { LONGEST_SHAPE = 8 };

/* The statement being read. */
struct statement {
	bool shader;       /* it has the word vertexshader or pixelshader */
	enum stage stage;
	size_t name, name_end; /* of the variable, or what is assigned; equal: none yet */
	bool named;        /* the name's place is known as that of a declaration */
	bool assigned;     /* '=' was seen */
	bool compiled;     /* HLSL */
	bool null;
	bool in_size;      /* between [ and ] */
	bool odd;          /* something in it was not understood */
	char shape[LONGEST_SHAPE + 1]; /* in a pass: w, n, b for words, numbers, blocks; others as they are */
	unsigned shape_n;
	uint32_t blocks;   /* those before it */
	uint32_t element;  /* of the array that is initialised, or in [] behind the name */
	srcpos at;
};

/* Parentheses that are open. */
struct call {
	size_t name, name_end; /* of what is called; equal: nothing */
	bool commas;
};

struct reader {
	struct arena *arena;
	struct diags *diags;
	const struct source *file;
	struct effect *effect;
	struct { VEC(struct reference); } references;
	struct { VEC(struct call); } calls;
	struct { VEC(const char *); } macros; /* that the file defines */
	struct effect_words known;
	size_t at, end;
	enum token last;     /* the token before, and where it is */
	size_t last_from, last_end;
	bool directive;      /* a preprocessor line stood before the token that was read last */
	struct scan_line line; /* of the last literal */
	bool line_start;     /* only blanks before `at` on its line */
	bool directives;     /* a line starts with # */
	unsigned depth;      /* of braces */
	unsigned pass_depth; /* inside the braces of the pass; 0: in no pass */
	const char *technique;
	bool opens_pass;     /* `pass` was read and its brace is still to come */
	struct statement statement;
};

static const char directive_reason[] = "preprocessor lines stand in its text";

static bool word_start(char c)
{
	return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool same_word(const char *text, size_t n, const char *lower_case)
{
	for (size_t i = 0; i < n; i++) {
		char c = text[i];
		if ((c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c) != lower_case[i])
			return false; /* also at the end of a shorter one */
	}
	return lower_case[n] == '\0';
}

/* ---- tokens ---------------------------------------------------------------- */

/* A preprocessor line at r->at. */
static void take_directive(struct reader *r)
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

/* The next token starts at *from and ends at r->at. */
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
			take_directive(r);
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
	if (word_start(text[r->at])) {
		r->at += effect_word_length(r->file, r->at);
		return TOKEN_WORD;
	}
	if (digit(text[r->at])) {
		while (r->at < r->end && (word_start(text[r->at]) || digit(text[r->at]) || text[r->at] == '.'))
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

static struct effect_block *add_block(struct reader *r, enum effect_kind kind, size_t at, size_t from, size_t to)
{
	struct effect_block *b = &VEC_PUSH(r->arena, &r->effect->blocks);
	*b = (struct effect_block){.kind = (uint8_t)kind, .at = (srcpos)at, .from = (srcpos)from, .to = (srcpos)to,
	                           .model = MODEL_COUNT, .live = kind != EFFECT_ASM, .whole = true};
	return b;
}

static const char *copy_name(struct reader *r, const struct statement *s)
{
	return arena_copy(r->arena, r->file->text + s->name, s->name_end - s->name);
}

/* A block or literal that initialises what the statement declares. */
static void name_block(struct reader *r, struct effect_block *b)
{
	struct statement *s = &r->statement;
	if ((s->shader && r->pass_depth) || !s->assigned || s->name == s->name_end)
		return;
	b->name = copy_name(r, s);
	b->element = s->element;
	if (!s->named)
		VEC_PUSH(r->arena, &r->known) = (srcpos)s->name;
	s->named = true;
}

/* `asm` was read; if a brace follows, all up to the closing one is a program.  False: none does. */
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
	struct effect_block *b = add_block(r, EFFECT_ASM, at, from + 1, to);
	name_block(r, b);
	if (directives)
		b->stays = directive_reason;
	return true;
}

/* ---- literals of C and C++ ----------------------------------------------------- */

static bool is_one_of(const char *word, size_t n, const char *const *list)
{
	for (; *list; list++)
		if (same_word(word, n, *list))
			return true;
	return false;
}

/* Functions, by a part of their names, and macros of the file, that may make another text of what they are given. */
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

/* Does what stands before the token that was read last let an expression begin with it? */
static bool begins_expression(const struct reader *r)
{
	static const char *const words[] = {"return", NULL};
	const char *text = r->file->text;
	if (r->directive)
		return false;
	if (r->last == TOKEN_WORD)
		return is_one_of(text + r->last_from, r->last_end - r->last_from, words);
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

/* Does the expression end at `at`?  Behind what looks like a conversion, TEXT("...") or std::string("..."), the
 * expression around it must end as well. */
static bool ends_expression(const struct reader *r, size_t at)
{
	static const char *const heads[] = {"if", "while", "for", "switch", NULL};
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
		if (!call || call->commas || is_one_of(text + call->name, call->name_end - call->name, heads))
			return true;
	}
}

/* `name[80] = `, where `name[] =` takes any text? */
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

/* Returns true if the literals between `from` and `to` hold a trigraph as it is. */
static bool holds_trigraph(const struct source *s, size_t from, size_t to)
{
	bool any = false;
	for (size_t k = from; k + 2 < to && !any; k++)
		any = scan_trigraph(s->text + k);
	return any;
}

/* Returns why literals that begin at `from`, the token read last, and end at `to` may not be all of a program, or NULL if they are. */
static const char *not_whole(const struct reader *r, bool begins, const struct source *s, size_t from, size_t to)
{
	if (!begins)
		return "what stands before its literals may add to it";
	if (!ends_expression(r, to))
		return "what stands behind its literals may add to it";
	if (effect_counts_bytes(r->file, to, s->size))
		return "a number behind it counts its bytes";
	if (has_fixed_size(r))
		return "its array has a size";
	if (holds_trigraph(r->file, from, to))
		return "it holds a trigraph, such as ?\?/, which compilers read as one character or as three: write the second ? as \\?";
	if (memchr(s->text, '%', s->size))
		return "it holds a %, as texts do into which something else is printed";
	return NULL;
}

static void add_literal(struct reader *r, enum effect_kind kind, size_t at, size_t from, size_t to, struct source s, bool begins)
{
	const struct preprocess_options plain = {0};
	struct effect_block *b = add_block(r, kind, at, from, to);
	name_block(r, b);
	b->source = s;
	b->stays = not_whole(r, begins, &s, kind == EFFECT_LITERALS ? from : r->at, r->at);
	b->whole = !b->stays;
	if (b->whole && preprocess_wanted(&s, &plain))
		b->stays = directive_reason;
}

/* Literals that spell a program, such as D3DXAssembleShader takes. */
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

/* R"MARK( ... )MARK" behind the R at `at`. */
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

/* What a pass assigns: `vertexshader = ( name[2] )` is a reference, for the block may come later. */
static void end_assignment(struct reader *r)
{
	static const char *const names[] = {"=w", "=(w)", "=<w>", "=w[n]", "=(w[n])", "=<w[n]>", NULL}, *const blocks[] = {"=b", NULL};
	struct statement *s = &r->statement;
	struct reference ref = {.pass = r->effect->passes.n - 1, .stage = s->stage, .block = EFFECT_UNCLEAR, .at = s->at};
	s->odd |= !has_shape(s, names) && !has_shape(s, blocks);
	if (!s->odd && has_shape(s, blocks)) {
		ref.block = (int)r->effect->blocks.n - 1;
	} else if (!s->odd) {
		ref.name = copy_name(r, s);
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

/* The name behind `technique` or `pass`, if there is one. */
static const char *optional_name(struct reader *r)
{
	struct reader before = *r;
	size_t from;
	if (next_token(r, &from) == TOKEN_WORD)
		return copy_word(r, from);
	*r = before;
	return "";
}

/* A pass's statements are short; longer ones are none that is understood. */
static void add_shape(struct statement *s, char c)
{
	if (s->shape_n < LONGEST_SHAPE)
		s->shape[s->shape_n++] = c;
	else
		s->odd = true;
}

/* A word that is none of the keywords. */
static void take_name(struct reader *r, size_t from)
{
	const char *word = r->file->text + from;
	size_t n = r->at - from;
	struct statement *s = &r->statement;
	bool const in_pass = s->shader && r->pass_depth, null = same_word(word, n, "null");
	if (in_pass)
		add_shape(s, 'w');
	if (s->shader && s->assigned && same_word(word, n, "compile"))
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

static void take_word(struct reader *r, size_t from)
{
	const char *word = r->file->text + from;
	size_t n = r->at - from;
	struct statement *s = &r->statement;
	if (same_word(word, n, "asm")) {
		add_shape(s, read_block(r, from) ? 'b' : 'w');
	} else if (r->file->text[r->at] == '"' && word[n - 1] == 'R' && n <= 3) {
		read_raw_literal(r, from);
	} else if (!s->shader && same_word(word, n, "technique") && r->depth == 0) {
		r->technique = optional_name(r);
	} else if (!s->shader && same_word(word, n, "pass") && r->technique && !r->pass_depth) {
		VEC_PUSH(r->arena, &r->effect->passes) = (struct effect_pass){
			.technique = r->technique, .at = (srcpos)from, .to = (srcpos)r->end, .vs = EFFECT_NONE, .ps = EFFECT_NONE};
		const char *name = optional_name(r);
		r->effect->passes.at[r->effect->passes.n - 1].name = name;
		r->opens_pass = true;
	} else if (same_word(word, n, "vertexshader") || same_word(word, n, "pixelshader")) {
		*s = (struct statement){.shader = true, .odd = s->shader, .at = (srcpos)from, .blocks = s->blocks,
		                        .stage = *word == 'v' || *word == 'V' ? STAGE_VERTEX : STAGE_PIXEL};
		VEC_PUSH(r->arena, &r->known) = (srcpos)from;
	} else {
		take_name(r, from);
	}
}

/* Behind the `<` of `< string s = "x"; int k = 1; >`: statements that are not the effect's. */
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

/* The word before the parenthesis that was read. */
static struct call called(const struct reader *r)
{
	return r->last == TOKEN_WORD ? (struct call){r->last_from, r->last_end, false} : (struct call){0};
}

/* What an operator is to the statement. */
static void shape_other(struct reader *r, char c)
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
	bool const heads = r->technique && r->depth == 0; /* between `technique` and its brace */
	bool const annotation = c == '<' && (r->statement.shader ? !r->statement.assigned : r->opens_pass || heads);
	if (!annotation && c != ';' && !(c == '}' && r->depth == r->pass_depth))
		shape_other(r, c);
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
	for (; from < r->at && digit(r->file->text[from]) && value < 100000; from++)
		value = value * 10 + (uint32_t)(r->file->text[from] - '0');
	if (s->shader && r->pass_depth)
		add_shape(s, 'n');
	if (!s->shader || !s->assigned)
		return;
	if (r->pass_depth)
		s->element = value;
	s->odd |= from < r->at || !r->pass_depth;
}

/* The block that a reference leads to; EFFECT_NONE: it is not in the file. */
static int find_block(const struct effect *e, const struct reference *ref)
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

static void resolve(struct reader *r)
{
	struct effect *e = r->effect;
	unsigned (*uses)[2] = arena_zero(r->arena, (e->passes.n + 1) * sizeof *uses);
	for (uint32_t i = 0; i < r->references.n; i++)
		uses[r->references.at[i].pass][r->references.at[i].stage == STAGE_PIXEL]++;
	for (uint32_t i = 0; i < r->references.n; i++) {
		const struct reference *ref = &r->references.at[i];
		struct effect_pass *pass = &e->passes.at[ref->pass];
		bool const pixel = ref->stage == STAGE_PIXEL;
		int block = find_block(e, ref);
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
			take_word(&r, from);
		else if (token == TOKEN_NUMBER)
			take_number(&r, from);
		else if (token == TOKEN_STRING)
			read_literals(&r, from);
		else
			take_other(&r, file->text[from]);
		/* What was read together is neither word nor operator. */
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
	/* What the C compiler does with literals is no concern of ours: only asm blocks have macros. */
	if (plain)
		effect_cut(arena, r.effect);
	else if (!effect_expand(arena, r.effect, options, diags))
		return NULL;
	else
		effect_find_made_uses(arena, r.effect, &r.known, options);
	resolve(&r);
	for (uint32_t k = 0; k < r.effect->blocks.n; k++)
		if (r.effect->blocks.at[k].live)
			r.effect->blocks.at[k].model = effect_model(&r.effect->blocks.at[k].source);
	return diags->errors == errors ? r.effect : NULL;
}
